"""What a scale will cost: jobs, runs, models and core-hours, estimated from the measured costs of conf/costs.csv."""

import csv
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bayes_hpo.errors import Fault
from bayes_hpo.grid import protocol_name, validation_name

COSTS = Path("conf/costs.csv")


@dataclass(frozen=True)
class Costs:
    """Measured costs, CPU seconds on one core.

    model: dict, learner -> coefficients (4,) of log seconds per model on (1, log training rows, log predicted rows, log
    features); under "" those of all learners, for one that was not measured.
    suggestion: dict, (searcher, candidates) -> seconds per suggestion. refits: dict, (searcher, protocol) -> models
    that are refit per scored pool, measured under hold-out.
    """

    model: dict
    suggestion: dict
    refits: dict

    @classmethod
    def read(cls, path=COSTS):
        """Fit the model to the measured rows of `path`. Raises: Fault when the file is missing or malformed."""
        try:
            with open(path, newline="", encoding="utf-8") as stream:
                rows = list(csv.DictReader(stream))
            models = [row for row in rows if row["kind"] == "model"]
            model = {
                name: _fitted([row for row in models if name in ("", row["learner"])]) for name in _learners(models)
            }
            suggestion = {
                (row["name"], int(row["candidates"] or 0)): float(row["seconds"])
                for row in rows
                if row["kind"] == "suggestion"
            }
            refits = {tuple(row["name"].split("/")): float(row["seconds"]) for row in rows if row["kind"] == "refits"}
            return cls(model, suggestion, refits)
        except (OSError, KeyError, ValueError) as problem:
            raise Fault(f"{path} holds no measured costs ({problem}); measure: python -m benchmarks.costs") from problem

    def seconds(self, learner, train, predicted, p):
        """Seconds of one model of the learner (its node): `train` rows of `p` features, `predicted` rows predicted."""
        return math.exp(self.model.get(learner_name(learner), self.model[""]) @ _features(train, predicted, p))

    def suggesting(self, searcher, candidates):
        """Seconds of one suggestion, measured at the nearest number of candidates; 0 for an unmeasured searcher."""
        known = {number: value for (name, number), value in self.suggestion.items() if name == searcher}
        return known[min(known, key=lambda number: abs(number - candidates))] if known else 0.0

    def refitting(self, searcher, selection_share):
        """Models refit per scored pool; the mean of all that was measured for an unmeasured searcher."""
        protocol = "holdout_sel" if selection_share else "holdout"
        return self.refits.get((searcher, protocol), sum(self.refits.values()) / len(self.refits))


def learner_name(node):
    """Name of a learner, given its node of the configuration: the module that holds it."""
    return node["_target_"].split(".")[-2]


def _learners(rows):
    return ["", *dict.fromkeys(row["learner"] for row in rows)]


def _fitted(rows):
    """Coefficients (4,) of the measured rows of one learner."""
    X = np.array([_features(*(float(row[key]) for key in ("train", "predicted", "p"))) for row in rows])
    return np.linalg.lstsq(X, np.log([float(row["seconds"]) for row in rows]), rcond=None)[0]


def _features(train, predicted, p):
    return np.array([1.0, math.log(train), math.log(predicted), math.log(p)])


@dataclass(frozen=True)
class Estimate:
    """One searcher under one validation: search jobs, runs (repetitions of a pool), models, core-hours."""

    validation: str
    searcher: str
    jobs: int
    runs: int
    models: int
    hours: float


def estimates(grid, costs):
    """Estimate of each validation and searcher of a grid (list), refits last as a searcher of that name."""
    totals = Counter()
    for dataset in grid.datasets:
        for protocol, searcher in grid.pools:
            key = validation_name(protocol), searcher
            job, runs = grid.job(protocol, searcher), len(grid.wanted(dataset, protocol, searcher))
            models, seconds = _run(job, grid.registered[dataset], costs)
            suggesting = job["budget"] * costs.suggesting(searcher, job["searcher"].get("candidates", 0))
            totals[key, "jobs"] += len(grid.blocks(dataset, protocol, searcher))
            totals[key, "runs"] += runs
            totals[key, "models"] += runs * models
            totals[key, "hours"] += runs * (seconds + suggesting) / 3600
            refit = validation_name(protocol), "(refits)"
            totals[refit, "jobs"] += 1
            models = runs * costs.refitting(searcher, job["protocol"]["selection_share"])
            totals[refit, "models"] += round(models)
            totals[refit, "hours"] += models * _refit(job, grid.registered[dataset], costs) / 3600
    keys = dict.fromkeys(key for key, _ in totals)
    return [Estimate(*key, *(totals[key, what] for what in ("jobs", "runs", "models", "hours"))) for key in keys]


def _run(job, row, costs):
    """(models, CPU seconds of their fits and predictions) of one search on a data set."""
    validation = job["protocol"]["validation"]
    folds = validation.get("folds", 1)
    share = validation.get("share", 1 / folds)
    rows = row.n - _test_rows(job, row)
    train = min(job["training_cap"], (1 - share) * (1 - job["protocol"]["selection_share"]) * rows)
    models = folds * job["budget"]
    return models, models * costs.seconds(job["learner"], train, rows - train, row.p)


def _refit(job, row, costs):
    """CPU seconds of one refit and its prediction of the test part."""
    test = _test_rows(job, row)
    return costs.seconds(job["learner"], min(job["training_cap"], row.n - test), test, row.p)


def _test_rows(job, row):
    return row.n_test or row.n * job["test_percent"] / 100


def pools(grid):
    """dict, (validation, method) -> (name of the pool that it selects from, estimated core-hours without refits)."""
    hours = {(one.validation, one.searcher): one.hours for one in estimates(grid, Costs.read())}
    sharing = Counter((validation_name(protocol), searcher) for protocol, searcher in grid.pools)
    found = {}
    for validation in grid.cfg["study"]["validations"]:
        for name, method in grid.methods.items():
            search = validation, method["searcher"]
            pool = grid.owner, protocol_name(validation, method), method["searcher"]
            found[validation, name] = pool, hours[search] / sharing[search]
    return found
