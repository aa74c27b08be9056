"""One repetition of a study on one data set: what every method of it shares."""

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

CHUNK = 2000  # rows predicted at once: a kernel machine needs memory for each of them with every training row


def repetition_key(fingerprint: str, dataset: str | None, number: int | None) -> dict:
    """The key of a file that belongs to one repetition.

    fingerprint: digest of what it depends on, data included.
    dataset: its name.
    number: of the repetition. Seeds follow from name and number, so no search makes the same trials under other ones.
    """
    return {"fingerprint": fingerprint, "dataset": dataset, "repetition": number}


def pool_key(pool: Pool) -> dict:
    """The `repetition_key` of a pool."""
    return repetition_key(
        pool.fingerprint, pool.provenance.get("data", {}).get("name"), pool.provenance.get("repetition")
    )


@dataclass(frozen=True)
class Repetition:
    """What every method of a study shares in one repetition on one data set.

    data: as the study prepares them.
    task: what is predicted and how errors are counted.
    seeds: bound to the owner of the draws, the data set and the repetition.
    protocol: how configurations are validated.
    parts: the rows of the test part, of the selection split and of all folds.
    learner: trains a model of a configuration.
    training_cap: the most rows that a model is trained on.
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
        """Repetition `number` of the resolved configuration of a job (`campaign.job_config`) on a data set.

        Raises: UserError for a data set of another kind than the task.
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
        """(n,) strata of the rows, by which splits are stratified."""
        return self.task.strata(self.data.y)

    def fit(self, configuration: dict, rows: NDArray) -> tuple[Model, Callable[[NDArray], NDArray]]:
        """A model trained on `rows` (n,), and predict(rows (m,)) -> predictions (m[, n_classes]) of the task's kind.

        A learner's draws follow from the repetition and the configuration, so that a model can be reproduced.
        """
        X, y = self.data.X, self.data.y
        prepare = fit_preparation(self.data.fitted, X[rows])
        rng = self.seeds(f"learner {json.dumps(configuration, sort_keys=True)}")
        model = self.learner.fit(configuration, prepare(X[rows]), y[rows], rng)

        def predict(others):
            chunks = [others[k : k + CHUNK] for k in range(0, max(1, len(others)), CHUNK)]
            return np.concatenate([self.task.predictions.of(model, prepare(X[chunk])) for chunk in chunks])

        return model, predict
