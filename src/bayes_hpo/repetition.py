"""One repetition of a study on one data set: what all its methods share."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.build import build
from bayes_hpo.contracts import Learner, Model
from bayes_hpo.data.preparation import fit_preparation
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import UserError
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.splits import Parts, Protocol, draw_parts

CHUNK = 2000  # rows per prediction call: a kernel machine needs memory for every pair of such a row and a training row


def repetition_key(fingerprint: str, dataset: str | None, number: int | None) -> dict:
    """Key of a file that belongs to one repetition.

    fingerprint: digest of everything the file depends on, data included.
    dataset: name of the data set.
    number: number of the repetition. Seeds derive from `dataset` and `number`, so both are part of the key.
    """
    return {"fingerprint": fingerprint, "dataset": dataset, "repetition": number}


def pool_key(pool: Pool) -> dict:
    """`repetition_key` of a pool."""
    return repetition_key(
        pool.fingerprint, pool.provenance.get("data", {}).get("name"), pool.provenance.get("repetition")
    )


@dataclass(frozen=True)
class Repetition:
    """What all methods of a study share in one repetition on one data set.

    data: the data set, prepared as the study specifies.
    task: what is predicted and how errors are counted.
    seeds: bound to the owner of the draws, the data set and the repetition.
    protocol: how configurations are validated.
    parts: rows of the test part, of the selection split and of all folds.
    learner: trains the model of a configuration.
    training_cap: maximum number of training rows of a model.
    """

    data: Data
    task: Task
    seeds: Seeds
    protocol: Protocol
    parts: Parts
    learner: Learner
    training_cap: int

    @classmethod
    def of(cls, job: dict, data: Data, number: int) -> "Repetition":
        """Build repetition `number` of a job's resolved configuration (`campaign.job_config`) on a data set.

        Raises: UserError if the data set is of another kind than the task.
        """
        seeds = Seeds(job["owner"], data.name, number)
        protocol, task = build(job["protocol"], "protocol"), build(job["task"], "study.task")
        if data.kind != task.kind:
            raise UserError(f"dataset={data.name} is of {data.kind}, the study of {task.kind}; give another of the two")
        cap = job["training_cap"]
        given = {"given_test": data.given_test, "test_percent": job["test_percent"], "training_cap": cap}
        given["most_rows"] = job["most_rows"]
        given["test_draw"] = build(job["test_draw"], "study.test_draw")
        parts = draw_parts(task.strata(data.y), protocol, seeds, **given)
        prepared = build(job["preparation"], "study.preparation")(data, parts.visible)
        return cls(prepared, task, seeds, protocol, parts, build(job["learner"], "study.learner"), cap)

    @property
    def strata(self) -> NDArray:
        """(n,) stratum of each row, for stratified splits."""
        return self.task.strata(self.data.y)

    def fit(self, configuration: dict, rows: NDArray) -> tuple[Model, Callable[[NDArray], NDArray]]:
        """Train a model on `rows` (n,).

        Returns the model, and predict(rows (m,)) -> predictions (m[, n_classes]) of the task's kind. The learner's
        generator depends on the repetition and the configuration only, so that a model can be reproduced.
        """
        X, y = self.data.X, self.data.y
        prepare = fit_preparation(self.data.fitted, X[rows])
        rng = self.seeds(f"learner {json.dumps(configuration, sort_keys=True)}")
        model = self.learner.fit(configuration, prepare(X[rows]), y[rows], rng)

        def predict(others):
            chunks = [others[k : k + CHUNK] for k in range(0, max(1, len(others)), CHUNK)]
            return np.concatenate([self.task.predictions.of(model, prepare(X[chunk])) for chunk in chunks])

        return model, predict
