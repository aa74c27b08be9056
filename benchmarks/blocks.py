"""The conditional kernel block by block beside the dense computation, on the pools of real searches.

    python -m benchmarks.blocks results/small/pools/conditional/*/kfold/gp_cond_ls/rep_000.npz

CPU seconds with the first 200 trials of each pool, medians of TURNS; puts the table into README.md.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import Fault, UserError
from bayes_hpo.acquisition.criteria import Averaged, ExpectedImprovement
from bayes_hpo.surrogates.gp.conditional import Conditional
from bayes_hpo.acquisition.engine import CHAIN
from bayes_hpo.acquisition.maximize import best_sample
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.acquisition.tried import Tried
from bayes_hpo.storage.pools import read_pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.report.tables.markdown import markdown, put
from benchmarks.page import PAGE

TRIALS, TURNS = 200, 5
SEEDS = Seeds("benchmarks", "blocks", 0)


def main():
    """Measure every pool in both forms and show them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.blocks", description=__doc__.splitlines()[0])
    parser.add_argument("pools", nargs="+", type=Path)
    try:
        rows = {path: measure(read_pool(path)) for path in parser.parse_args().pools}
    except (UserError, Fault) as problem:
        parser.exit(1, f"error: {problem}\n")
    frame = pd.DataFrame({f"{path.parts[-4]}, {path.stem}": row for path, row in rows.items()}).T
    put("blocks", markdown("pool", frame), PAGE)


def measure(pool):
    """Block sizes and, for every part of a suggestion, "blocks / dense" in milliseconds."""
    job = pool.provenance["job"]
    searcher = build(job["searcher"], "searcher", space=build(job["space"], "space"), budget=TRIALS + 1)
    own = searcher.model
    dense = Model(Conditional(own.kernel, own.space), own.amplitude, own.noise, own.noise_start)
    blocks, whole = (parts(replace(searcher, model=model), pool[:TRIALS]) for model in (own, dense))
    _, sizes = np.unique(searcher.space.signatures(searcher.points(pool[:TRIALS])), return_counts=True)
    return {"block sizes": ", ".join(map(str, sorted(sizes, reverse=True)))} | {
        name: f"{1e3 * blocks[name]:.1f} / {1e3 * whole[name]:.1f}" for name in blocks
    }


def parts(searcher, pool):
    """Median CPU seconds of the parts of one suggestion after the trials of the pool."""
    history, X = pool.history, searcher.points(pool)
    y, tried = searcher.targets(history.losses), Tried(searcher.space, X, best=X[history.losses.argmin()])
    states = searcher.hyperparameters.continued(history.memory[CHAIN], searcher.model, X, y, SEEDS("mcmc"))
    posterior = searcher.model.posterior(states, X, y)
    criterion = Averaged(ExpectedImprovement(y.min()), posterior)
    samples = searcher.candidates.offered(tried, SEEDS("samples"))
    acts = {
        "fit: ten sweeps": lambda: searcher.hyperparameters.continued(states[-1], searcher.model, X, y, SEEDS("mcmc")),
        "posterior": lambda: searcher.model.posterior(states, X, y),
        "1,000 samples": lambda: best_sample(criterion, samples, tried, SEEDS("samples")),
        "local search": lambda: searcher.maximizer(criterion, samples, tried, SEEDS("samples")),
        "a suggestion": lambda: searcher.propose(history, SEEDS),
    }
    return {name: float(np.median([_seconds(act) for _ in range(TURNS)])) for name, act in acts.items()}


def _seconds(act):
    begin = time.process_time()
    act()
    return time.process_time() - begin


if __name__ == "__main__":
    main()
