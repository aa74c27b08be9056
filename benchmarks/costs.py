"""Measure what `stages.plan` estimates from: CPU seconds per model and per suggestion, models refit per pool.

    python -m bayes_hpo.stages.data suite=overfitting118 data.archive_dir=FOLDER
    python -m bayes_hpo.stages.data suite=conditional24 data.archive_dir=FOLDER
    python -m benchmarks.costs > costs.csv && mv costs.csv conf

A model: fit and predictions of a study's learner on one fold, mean over random configurations of its space, the same
on all data sets, from 100 to 67,557 rows. Suggestions, refits: means over runs of the whole budget on pima; `seconds`
of a refits row is a number of models.
"""

import argparse
import csv
import sys
import tempfile
from pathlib import Path

import numpy as np

from bayes_hpo.campaign.costs import learner_name
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.pool import Pool
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.refit import Refit
from bayes_hpo.scoring.score import score_pool
from bayes_hpo.search.loop import run_search
from bayes_hpo.seeds import Seeds
from bayes_hpo.storage.files import Journal

SVMS = {
    "fertility": 40, "wine": 40, "ionosphere": 40, "pima": 40, "semeion": 30, "yeast": 30, "plant-margin": 20,
    "abalone": 16, "waveform-noise": 16, "spambase": 16, "musk-2": 10, "nursery": 10, "letter": 8, "chess-krvk": 8,
    "adult": 8, "connect-4": 8,
}  # fmt: skip
FORESTS = {"pima": 20, "abalone": 8, "waveform-noise": 4, "spambase": 6, "letter": 4, "adult": 4}
CASH = {
    "pima": 60, "car": 60, "wine-quality-red": 60, "statlog-image": 60, "semeion": 60, "thyroid": 40, "spambase": 40,
    "bank": 40, "magic": 16, "letter": 16,
}  # fmt: skip
MODELS = {
    "overfitting": ("holdout", SVMS),
    "random_forest": ("kfold", FORESTS),
    "conditional": ("kfold", CASH),
}
RUNS = [
    *[("overfitting", "small", "holdout", searcher) for searcher in ("random", "grid", "cma", "gp")],
    *[("overfitting", "small", "holdout_sel", searcher) for searcher in ("cma", "gp")],
    ("overfitting", "paper", "holdout", "gp"),
    *[("conditional", "small", "kfold", searcher) for searcher in ("random", "smac", "cma_cash", "gp")],
    *[("conditional", "small", "kfold", f"gp_{kernel}") for kernel in ("matern_noimpute", "matern", "cond", "laplace")],
    *[("conditional", "small", "kfold", f"gp_{kernel}_ls") for kernel in ("matern", "cond", "laplace")],
]
CONFIGURATIONS = Seeds("benchmarks", "costs", 0)
REPETITIONS = {"overfitting": 2, "conditional": 1}
COLUMNS = ["kind", "learner", "name", "train", "predicted", "p", "candidates", "measured", "seconds"]


def main():
    """Write the rows of conf/costs.csv to standard output."""
    writer = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for study, (protocol, measured) in MODELS.items():
        grid = Grid.of(study, "small")
        for name, trials in measured.items():
            writer.writerow(_model(grid, protocol, name, trials))
            sys.stdout.flush()
    for study, scale, protocol, searcher in RUNS:
        writer.writerows(_runs(Grid.of(study, scale), protocol, searcher, REPETITIONS[study]))
        sys.stdout.flush()


def _model(grid, protocol, name, trials):
    """Seconds per model of the grid's learner on one data set."""
    job = grid.job(protocol, "random")
    r = Repetition.of(job, Data.load(f"results/data/{name}.npz"), 0)
    evaluation = Evaluation(r)
    searcher = build(job["searcher"], "searcher", space=_space(grid))
    history = [searcher.propose(range(t), CONFIGURATIONS) for t in range(trials)]
    folds = r.protocol.folds(r.parts, r.data.y, 0, r.seeds, training_cap=r.training_cap)
    seconds = np.mean([evaluation(proposal).seconds for proposal in history]) / len(folds)
    row = {
        "kind": "model",
        "learner": learner_name(job["learner"]),
        "name": name,
        "train": len(folds[0].train),
        "predicted": len(folds[0].validation),
    }
    return row | {"p": r.data.X.shape[1], "measured": trials, "seconds": f"{seconds:.4g}"}


def _runs(grid, protocol, searcher, repetitions):
    """The rows of one searcher: its suggestion, and the models refit for the methods on its pool."""
    pools, refits = zip(*[_run(grid, protocol, searcher, number) for number in range(repetitions)], strict=True)
    job, seconds = grid.job(protocol, searcher), np.mean([trial.seconds_proposal for pool in pools for trial in pool])
    row = {
        "learner": learner_name(job["learner"]),
        "candidates": job["searcher"].get("candidates", {}).get("size", ""),
        "measured": repetitions,
    }
    if not job["protocol"]["selection_share"]:  # suggestions cost the same with a selection split
        yield row | {"kind": "suggestion", "name": searcher, "seconds": f"{seconds:.3g}"}
    if grid.scale == "small":  # as many models at either
        yield row | {"kind": "refits", "name": f"{searcher}/{protocol}", "seconds": f"{np.mean(refits):.3g}"}


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
            name: (build(node["selector"], name, space=_space(grid)), node["along_search"])
            for name, node in scoring["methods"].items()
        }
        refit = Refit(repetition, most=scoring["refit_cap"], store=Path(folder) / "refits.npz", fingerprint="")
        y_test = repetition.data.y[repetition.parts.test]
        how = {"task": repetition.task, "every": scoring["checkpoint"]}
        list(score_pool(pool, selectors, refit, y_test, repetition.seeds, **how))
        return pool, len(refit.predictions)


def _space(grid):
    return build(grid.cfg["study"]["space"], "space")


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m benchmarks.costs", description=__doc__.splitlines()[0]).parse_args()
    main()
