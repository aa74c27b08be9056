"""The estimated peak memory of a job: an upper bound fitted to the measured peaks in conf/memory.csv."""

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from bayes_hpo.campaign.costs import learner_name, nonnegative
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.run_costs import refit_sizes, rows_used, sizes
from bayes_hpo.data.registry import Row
from bayes_hpo.errors import RunError

MEMORY = Path("conf/memory.csv")
COLUMNS = ["learner", "name", "trials", "data", "kernel", "stored", "mb"]
WORKFLOW = "snakemake"  # row of the processes that start a job on a node
KERNEL_ROWS = 5000  # rows of the largest kernel matrix in memory, which is as large as libsvm's cache
BYTES = 8  # per feature and per entry of a kernel matrix
PREDICTION = 4  # bytes of a stored label or probability, at most
COPIES = 4  # of all stored predictions while a pool is written: trials, array, digest, compressed bytes
GIB = 2**30  # bytes
MB = 1e6  # bytes


@dataclass(frozen=True)
class Demand:
    """What the peak memory of a job depends on, 10^6 bytes each.

    data: all rows and features.
    kernel: kernel matrix of the training rows.
    stored: predictions of all trials.
    limit: memory limit of a trial in the study.
    """

    data: float
    kernel: float
    stored: float
    limit: float = math.inf


def demand(job: dict, row: Row) -> Demand:
    """The Demand of one search on a data set. job: its configuration (`job_config`)."""
    folds, train, predicted = sizes(job, row)
    return _demand(job, row, train, job["budget"] * folds * predicted)


def refit_demand(job: dict, row: Row, cap: int) -> Demand:
    """The Demand of scoring a pool: refits on at most `cap` rows, and the predictions in the pool."""
    train, tested = refit_sizes(job, row, cap)
    return _demand(job, row, train, job["budget"] * (row.n + tested))


def _demand(job, row, train, predicted):
    probabilities = "Probabilities" in str(job["task"].get("predictions"))
    width = max(1, row.classes) if probabilities else 1
    rows = rows_used(job, row)
    kernel = BYTES * min(train, KERNEL_ROWS) ** 2
    sizes = BYTES * rows * row.p, kernel, PREDICTION * predicted * width, job["memory_limit"] * GIB
    return Demand(*(size / MB for size in sizes))


@dataclass(frozen=True)
class Memory:
    """A bound on measured peaks as a linear function of the demand.

    models: learner -> coefficients (3,), none below 0, of the peak (10^6 bytes) without stored predictions on (1, data,
        kernel), scaled so that no measured peak lies above; "" is for any other learner, with the largest of each
        coefficient.
    workflow: 10^6 bytes of the processes that start a job on a node.
    """

    models: dict
    workflow: float

    @classmethod
    def read(cls, path: str | Path = MEMORY) -> Self:
        """Fit the bound to the rows of `path`. Raises: RunError when the file is missing or malformed."""
        try:
            with open(path, newline="", encoding="utf-8") as stream:
                rows = list(csv.DictReader(stream))
            learners = dict.fromkeys(row["learner"] for row in rows if row["learner"] != WORKFLOW)
            models = {name: _bound([row for row in rows if row["learner"] == name]) for name in learners}
            workflow = max(float(row["mb"]) for row in rows if row["learner"] == WORKFLOW)
            return cls(models | {"": np.max(list(models.values()), axis=0)}, workflow)
        except (OSError, KeyError, ValueError) as problem:
            raise RunError(
                f"{path} holds no measured memory ({problem}); measure: python -m benchmarks.memory"
            ) from problem

    def mb(self, learner: dict, demand: Demand) -> float:
        """Peak memory, 10^6 bytes, of a job with that learner (its node), including the processes that start it."""
        start, *slopes = self.models.get(learner_name(learner), self.models[""])
        model = min(demand.limit, slopes[0] * demand.data + slopes[1] * demand.kernel)
        return float(self.workflow + start + model + COPIES * demand.stored)


def _bound(rows):
    """Coefficients (3,) of a linear bound on all measured rows."""
    X = np.array([[1.0, float(row["data"]), float(row["kernel"])] for row in rows])
    peaks = np.array([float(row["mb"]) - COPIES * float(row["stored"]) for row in rows])
    law = nonnegative(X, peaks)
    return law * max(1.0, (peaks / (X @ law)).max())


def search_mb(grid: Grid, memory: Memory) -> Callable[[SearchJob], float]:
    """Function, search job -> peak memory, 10^6 bytes. grid: that of the study that owns the pools."""

    def of_job(job):
        node = grid.job(job.protocol, job.searcher)
        return memory.mb(node["learner"], demand(node, grid.registered[job.dataset]))

    return of_job


def score_mb(grid: Grid, memory: Memory) -> Callable[[ScoreJob], float]:
    """Function, score job -> peak memory, 10^6 bytes."""

    def of_job(job):
        node = grid.job(job.protocol, job.searcher)
        cap = grid.cfg["study"]["refit_cap"]
        return memory.mb(node["learner"], refit_demand(node, grid.registered[job.dataset], cap))

    return of_job
