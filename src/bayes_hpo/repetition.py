"""One repetition of a study on one data set: what every method of it shares."""

import json
from dataclasses import dataclass

import numpy as np

from bayes_hpo.configuration.build import build
from bayes_hpo.data.preparation import fit_preparation
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import UserError
from bayes_hpo.outcomes.task import Task
from bayes_hpo.seeds import Seeds
from bayes_hpo.splits import Parts, Protocol, draw_parts

PREDICTED = 2000  # rows at once: a kernel machine holds their covariances with every training row


def key(fingerprint, dataset, number):
    """What a file of one repetition belongs to (dict).

    fingerprint: of what it depends on, data included; dataset: name; number: of the repetition. Seeds follow from the
    name and the number, so the same trials under another name or number are those of no search.
    """
    return {"fingerprint": fingerprint, "dataset": dataset, "repetition": number}


def key_of(pool):
    """The `key` of a Pool."""
    return key(pool.fingerprint, pool.provenance.get("data", {}).get("name"), pool.provenance.get("repetition"))


@dataclass(frozen=True)
class Repetition:
    """Data as the study prepares them, task, seeds, protocol, parts and learner.

    training_cap: the most rows that a model is trained on.
    """

    data: Data
    task: Task
    seeds: Seeds
    protocol: Protocol
    parts: Parts
    learner: object
    training_cap: int

    @classmethod
    def of(cls, job, data, number):
        """Repetition `number` of the resolved job configuration (`job_config`).

        Raises: UserError for a data set of another kind than the task.
        """
        seeds = Seeds(job["owner"], data.name, number)
        protocol, task = build(job["protocol"], "protocol"), build(job["task"], "study.task")
        if data.kind != task.kind:
            raise UserError(f"dataset={data.name} is of {data.kind}, the study of {task.kind}; give another of the two")
        cap = job["training_cap"]
        given = {"given_test": data.given_test, "test_percent": job["test_percent"], "training_cap": cap}
        given["test_draw"] = build(job["test_draw"], "study.test_draw")
        parts = draw_parts(task.strata(data.y), protocol, seeds, **given)
        prepared = build(job["preparation"], "study.preparation")(data, parts.visible)
        return cls(prepared, task, seeds, protocol, parts, build(job["learner"], "study.learner"), cap)

    @property
    def strata(self):
        """(n,) what splits are stratified by."""
        return self.task.strata(self.data.y)

    def fit(self, configuration, rows):
        """Train on `rows` (row numbers). Returns (model, predict), predict(rows) -> predictions of the task's kind.

        What a learner draws follows from the repetition and the configuration, so that a model can be made again.
        """
        X, y = self.data.X, self.data.y
        prepare = fit_preparation(self.data.fitted, X[rows])
        rng = self.seeds(f"learner {json.dumps(configuration, sort_keys=True)}")
        model = self.learner.fit(configuration, prepare(X[rows]), y[rows], rng)

        def predict(others):
            parts = [others[k : k + PREDICTED] for k in range(0, max(1, len(others)), PREDICTED)]
            return np.concatenate([self.task.predictions.of(model, prepare(X[part])) for part in parts])

        return model, predict
