"""One repetition of a study on one data set: what every method of it shares."""

import json
from dataclasses import dataclass

import numpy as np

from bayes_hpo.configuration.build import build
from bayes_hpo.data.preparation import fit_preparation
from bayes_hpo.data.prepared import Data
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
    """Data as the study prepares them, seeds, protocol, parts and learner.

    training_cap: the most rows that a model is trained on.
    """

    data: Data
    seeds: Seeds
    protocol: Protocol
    parts: Parts
    learner: object
    training_cap: int

    @classmethod
    def of(cls, job, data, number):
        """Repetition `number` of the resolved job configuration (`job_config`)."""
        seeds = Seeds(job["owner"], data.name, number)
        protocol = build(job["protocol"], "protocol")
        cap = job["training_cap"]
        parts = draw_parts(data, protocol, seeds, test_percent=job["test_percent"], training_cap=cap)
        prepared = build(job["preparation"], "study.preparation")(data, parts.visible)
        return cls(prepared, seeds, protocol, parts, build(job["learner"], "study.learner"), cap)

    def fit(self, configuration, rows):
        """Train on `rows` (row numbers). Returns (model, predict), predict(rows) -> labels (n_rows,).

        What a learner draws follows from the repetition and the configuration, so that a model can be made again.
        """
        X, y = self.data.X, self.data.y
        prepare = fit_preparation(self.data.fitted, X[rows])
        rng = self.seeds(f"learner {json.dumps(configuration, sort_keys=True)}")
        model = self.learner.fit(configuration, prepare(X[rows]), y[rows], rng)

        def predict(others):
            parts = [others[k : k + PREDICTED] for k in range(0, max(1, len(others)), PREDICTED)]
            return np.concatenate([model.predict(prepare(X[part])) for part in parts])

        return model, predict
