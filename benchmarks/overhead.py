"""What a random search costs beside its support vector machines, in CPU seconds of all its processes.

    python -m benchmarks.overhead

Both sides fit and predict the same configurations on the same rows, one thread, in one run: ours through the search
loop (process, proposal, journal, log), theirs as a plain loop over scikit-learn's SVC. Data: breast_cancer (n = 569),
digits (n = 1,797) and digits with its rows twice (n = 3,594). Loading, start of Python and imports are not counted.
"""

import argparse
import logging
import os
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.svm import SVC

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import prepare
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.loop import run_search
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.search.supervision import supervised
from bayes_hpo.storage.files import Journal
from benchmarks.clock import used_seconds

TRIALS = 100
SECONDS = 15  # of rounds at least; the least of many is what other work on the machine has disturbed the least


def main():
    """Print a line per data set: CPU seconds of both sides, each the least of its rounds, and their ratio."""
    logging.basicConfig(level=logging.INFO, filename=os.devnull, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    job = Grid.of("overfitting", "small").job("holdout", "random")
    with tempfile.TemporaryDirectory() as folder:
        for data in _data_sets(folder):
            pairs, start = [], time.monotonic()
            while len(pairs) < 2 or time.monotonic() < start + SECONDS:
                pairs.append(_pair(job, data, Path(folder), len(pairs)))
            ours, plain = np.min(pairs, axis=0)
            line = f"search {ours:.3f} s, fits {plain:.3f} s, ratio {ours / plain:.3f}"
            print(f"{data.name:24} n={len(data.y):5}  {line}", flush=True)


def _data_sets(folder):
    settings = Settings(results_dir=folder)
    small = Data.load(prepare("sklearn-breast-cancer", settings))
    digits = Data.load(prepare("sklearn-digits", settings))
    twice = Data(np.tile(digits.X, (2, 1)), np.tile(digits.y, 2), digits.given_test, False, {"name": "digits twice"})
    return small, digits, twice


def _pair(job, data, folder, number):
    """(CPU seconds of a search, CPU seconds of its fits and predictions alone): round `number` on one repetition."""
    repetition = Repetition.of(job, data, 0)
    searcher = RandomSearch(build(job["space"], "space"))
    proposals = [searcher.propose(range(t), repetition.seeds) for t in range(TRIALS)]
    fold = repetition.protocol.folds(repetition.parts, data.y, 0, repetition.seeds, training_cap=job["training_cap"])[0]

    def search(limited):
        evaluate = partial(limited, Evaluation(repetition))
        with Journal(folder / f"{data.name}_{number}.journal", "key") as journal:
            return run_search(searcher, evaluate, budget=TRIALS, seeds=repetition.seeds, journal=journal)

    start = used_seconds()
    trials = supervised(search, job["time_limit"])
    ours = used_seconds() - start
    assert [trial.proposal for trial in trials] == proposals
    return ours, _plain(data, fold, proposals, job["learner"]["max_iter"])


def _plain(data, fold, proposals, max_iter):
    """CPU seconds of the fits and predictions alone."""
    start = time.process_time()
    for proposal in proposals:
        c = proposal.configuration
        machine = SVC(C=c["C"], gamma=c["tau"], max_iter=max_iter).fit(data.X[fold.train], data.y[fold.train])
        machine.predict(data.X[fold.validation])
    return time.process_time() - start


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m benchmarks.overhead", description=__doc__.splitlines()[0]).parse_args()
    main()
