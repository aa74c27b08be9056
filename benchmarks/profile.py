"""Where the CPU seconds of a suggestion go, what it takes of memory, and how long a search of chapter 3 lasts.

python -m benchmarks.profile      (five minutes; prints tables)
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.data.registry import find
from bayes_hpo.data.sources import bundled
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.storage.files import Journal
from bayes_hpo.acquisition.criteria import Integrated, ExpectedImprovement
from bayes_hpo.acquisition.evaluated import Evaluated
from bayes_hpo.acquisition.maximize import best_candidates
from bayes_hpo.acquisition.refinement import refine
from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.surrogates.gp.regression import CHAIN
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.loop import run_search
from bayes_hpo.report.tables.markdown import markdown
from benchmarks.peers import OPTIMIZERS, OURS
from benchmarks.suggest import history

CELLS = ((25, 2), (50, 2), (100, 2), (200, 2), (100, 6), (200, 6))  # observations, dimensions
LARGE = ((1000, 6), (1000, 14))
SUGGESTIONS, SEARCHES, ROWS = 9, 3, 300


def main():
    """Print the three tables."""
    told = {(setting, n, d): stages(setting, n, d) for setting in OURS for n, d in CELLS}
    for setting in OURS:
        cells = pd.DataFrame({f"n = {n}, d = {d}": told[setting, n, d] for n, d in CELLS})
        print(markdown(f"{setting}, CPU ms", cells.map("{:.3g}".format)), end="\n\n")
    sizes = {f"n = {n}, d = {d}": {setting: memory(setting, n, d) for setting in OURS} for n, d in LARGE}
    print(markdown("a suggestion", pd.DataFrame(sizes)), end="\n\n")
    seconds = {setting: [search(setting, number) for number in range(SEARCHES)] for setting in OURS}
    cells = pd.DataFrame({f"CPU s, medians of {SEARCHES}": {name: np.median(own) for name, own in seconds.items()}})
    print(markdown(f"100 trials on {ROWS} rows", cells.map("{:.3g}".format)))


def stages(setting, n, d):
    """CPU milliseconds (dict, stage -> median) of a suggestion whose chain is warm, as `Bayesian.propose` goes."""
    turns = pd.DataFrame([_stages(warm(setting, n, d, turn)) for turn in range(SUGGESTIONS)])
    return (1000 * turns.median()).to_dict()


def warm(setting, n, d, turn):
    """An optimizer (`benchmarks.optimizers.Ours`) that has been told n observations, the last one its own."""
    points, losses, loss = history(n - 1, d, turn)
    one = OPTIMIZERS[setting](d, budget=2 * n, seed=turn)
    one.remember(points, losses)
    one.tell(loss(one.ask()))
    return one


def _stages(one):
    searcher, seen, t = one.searcher, one.history, len(one.history)
    spent = {"a suggestion": _seconds(lambda: searcher.propose(seen, one.seeds))[0]}
    X, y = searcher.points(seen), searcher.targets(seen.losses)
    chain, rng, model = seen.memory[CHAIN], one.seeds("mcmc", t), searcher.surrogate.model
    sampling = searcher.surrogate.hyperparameters
    spent["slice sampling"], states = _seconds(lambda: sampling.continued(chain, model, X, y, rng))
    spent["posterior"], posterior = _seconds(lambda: model.posterior(states, X, y))
    criterion = Integrated(ExpectedImprovement(y.min()), posterior).for_gradients()
    tried = Evaluated(searcher.space, X, best=X[y.argmin()])
    every = searcher.candidates.generate(tried, one.seeds("around_best", t))
    count = searcher.maximizer.n_starts
    spent["screening"], (starts, unit) = _seconds(lambda: best_candidates(criterion, every, count))
    spent["refinement"] = _seconds(lambda: refine(criterion, starts, unit=unit))[0]
    return spent


def _seconds(act):
    """(CPU seconds, what it returned) of a call."""
    begin = time.process_time()
    made = act()
    return time.process_time() - begin, made


def memory(setting, n, d):
    """Seconds of one suggestion and the most memory of a process that makes it, as text."""
    code = f"from benchmarks.profile import tell; tell({setting!r}, {n}, {d})"
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def tell(setting, n, d):
    """Print the seconds of one suggestion and the most memory that this process has had."""
    one = warm(setting, n, d, 0)
    seconds, _ = _seconds(one.ask)
    print(f"{seconds:.1f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def search(setting, number):
    """CPU seconds of one search of chapter 3 under hold-out, its models included."""
    names = ["study=overfitting", "dataset=sklearn-breast-cancer", "searcher=gp", "protocol=holdout", "scale=small"]
    cfg = configure("search", [*names, f"gp@scale.gp={setting}"])
    data = bundled.read(find("sklearn-breast-cancer"), {})
    job = job_config(cfg | {"budget": 100}, "overfitting")
    repetition = Repetition.of(job, replace(data, X=data.X[:ROWS], y=data.y[:ROWS]), number)
    begin = time.process_time()
    searcher = build(job["searcher"], "searcher", space=build(job["space"], "space"), budget=100)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal", "key") as journal:
        run_search(searcher, Evaluation(repetition), budget=100, seeds=repetition.seeds, journal=journal)
    return time.process_time() - begin


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m benchmarks.profile", description=__doc__.splitlines()[0]).parse_args()
    main()
