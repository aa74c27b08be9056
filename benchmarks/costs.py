"""Measure what `stages.plan` estimates from: CPU seconds per model and per suggestion, models refit per pool.

    python -m bayes_hpo.stages.data suite=overfitting118 data.archive_dir=FOLDER
    python -m benchmarks.costs > conf/costs.csv

A model: fit and predictions of a study's learner under hold-out, mean over random configurations of its space, on data
sets from 100 to 67,557 rows. Suggestions, refits: means over two runs of 100 trials on pima;
`seconds` of a refits row is a number of models.
"""

import csv
import sys
import tempfile
from pathlib import Path

import numpy as np

from bayes_hpo.build import build
from bayes_hpo.costs import learner_name
from bayes_hpo.data.prepared import Data
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.files import Journal
from bayes_hpo.grid import Grid
from bayes_hpo.pool import Pool
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.refit import Refit
from bayes_hpo.scoring.score import score_pool
from bayes_hpo.search.loop import run_search

SVMS = {
    "fertility": 40, "wine": 40, "ionosphere": 40, "pima": 40, "semeion": 30, "yeast": 30, "plant-margin": 20,
    "abalone": 16, "waveform-noise": 16, "spambase": 16, "musk-2": 10, "nursery": 10, "letter": 8, "chess-krvk": 8,
    "adult": 8, "connect-4": 8,
}  # fmt: skip
FORESTS = {"pima": 20, "abalone": 8, "waveform-noise": 4, "spambase": 6, "letter": 4, "adult": 4}
RUNS = [
    *[("small", "holdout", searcher) for searcher in ("random", "grid", "cma", "gp")],
    *[("small", "holdout_sel", searcher) for searcher in ("cma", "gp")],
    ("paper", "holdout", "gp"),
]
REPETITIONS = 2
COLUMNS = ["kind", "learner", "name", "train", "predicted", "p", "candidates", "measured", "seconds"]


def main():
    """Write the rows of conf/costs.csv to standard output."""
    writer = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    grids = {scale: Grid.of("overfitting", scale) for scale in ("small", "paper")}
    for study, measured in {"overfitting": SVMS, "random_forest": FORESTS}.items():
        for name, trials in measured.items():
            writer.writerow(_model(Grid.of(study, "small"), name, trials))
            sys.stdout.flush()
    for grid, protocol, searcher in RUNS:
        pools, refits = zip(
            *[_run(grids[grid], protocol, searcher, number) for number in range(REPETITIONS)], strict=True
        )
        seconds = np.mean([trial.seconds_proposal for pool in pools for trial in pool])
        candidates = grids[grid].job(protocol, searcher)["searcher"].get("candidates", {}).get("size", "")
        row = {"candidates": candidates, "measured": len(pools)}
        if protocol == "holdout":
            writer.writerow(row | {"kind": "suggestion", "name": searcher, "seconds": f"{seconds:.3g}"})
        if grid == "small":
            name = f"{searcher}/{protocol}"
            writer.writerow(row | {"kind": "refits", "name": name, "seconds": f"{np.mean(refits):.3g}"})
        sys.stdout.flush()


def _model(grid, name, trials):
    """Seconds per model of the grid's learner on one data set."""
    job = grid.job("holdout", "random")
    repetition = Repetition.of(job, Data.load(f"results/data/{name}.npz"), 0)
    evaluation = Evaluation(repetition)
    searcher = build(job["searcher"], "searcher", space=_space(grid))
    history = [searcher.propose(range(t), repetition.seeds) for t in range(trials)]
    seconds = np.mean([evaluation(proposal).seconds for proposal in history])
    r = repetition
    fold = r.protocol.folds(r.parts, r.data.y, 0, r.seeds, training_cap=r.training_cap)[0]
    row = {
        "kind": "model",
        "learner": learner_name(job["learner"]),
        "name": name,
        "train": len(fold.train),
        "predicted": len(fold.validation),
    }
    return row | {"p": r.data.X.shape[1], "measured": trials, "seconds": f"{seconds:.4g}"}


def _run(grid, protocol, searcher, number):
    """(pool, number of models refit) of one run on pima with its methods."""
    job = grid.job(protocol, searcher)
    repetition = Repetition.of(job, Data.load("results/data/pima.npz"), number)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal", "key") as journal:
        one = build(job["searcher"], "searcher", space=_space(grid), budget=job["budget"])
        evaluation = Evaluation(repetition)
        pool = Pool(tuple(run_search(one, evaluation, budget=job["budget"], seeds=repetition.seeds, journal=journal)))
        scoring = grid.scoring(protocol, searcher)
        selectors = {
            name: (build(node["selector"], name, space=_space(grid)), node["traced"])
            for name, node in scoring["methods"].items()
        }
        refit = Refit(repetition, most=scoring["refit_cap"], store=Path(folder) / "refits.npz", fingerprint="")
        y_test = repetition.data.y[repetition.parts.test]
        score_pool(pool, selectors, refit, y_test, repetition.seeds, every=scoring["checkpoint"])
        return pool, len(refit.labels)


def _space(grid):
    return build(grid.cfg["study"]["space"], "space")


if __name__ == "__main__":
    main()
