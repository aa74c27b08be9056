"""Fresh models of chosen configurations, trained on everything but the test part, each once."""

import json
from pathlib import Path

import numpy as np

from bayes_hpo.errors import Fault, described
from bayes_hpo.files import atomic
from bayes_hpo.splits import cap


class Refit:
    """Test labels of a fresh model per configuration, trained on training + validation + selection rows (thesis, 3.3).

    At most `most` of those rows, a seeded stratified draw (D10). `store` is a file of labels by configuration: what it
    holds with the same fingerprint is not trained again, however many methods chose it.
    """

    def __init__(self, repetition, *, most, store, fingerprint):
        self.repetition, self.most, self.store, self.fingerprint = repetition, most, Path(store), fingerprint
        self.labels = self._read()
        self.stored = len(self.labels)

    def __call__(self, configuration):
        """Labels (n_test,) that the refit model predicts for the test part. Raises: Fault when it cannot be trained."""
        key = json.dumps(configuration, sort_keys=True)
        if key not in self.labels:
            self.labels[key] = self._fit(configuration)
        return self.labels[key]

    def save(self):
        """Write the store when it has grown."""
        if len(self.labels) > self.stored:
            keys = np.frombuffer(json.dumps(list(self.labels)).encode(), dtype=np.uint8)
            labels = np.array(list(self.labels.values()))  # (n_configurations, n_test)
            with atomic(self.store) as part, open(part, "wb") as stream:
                np.savez_compressed(stream, fingerprint=np.array(self.fingerprint), keys=keys, labels=labels)

    def _fit(self, configuration):
        r = self.repetition
        rows = cap(r.parts.visible, r.data.y, self.most, r.seeds("refit"))
        try:
            _, predict = r.fit(configuration, rows)
            labels = predict(r.parts.test)
        except Exception as problem:  # whatever a learner raises
            raise Fault(f"{configuration} could not be refit on {r.data.name}: {described(problem)}") from problem
        return labels.astype(np.min_scalar_type(r.data.y.max()))

    def _read(self):
        try:
            with np.load(self.store, allow_pickle=False) as stored:
                if str(stored["fingerprint"]) == self.fingerprint:
                    return dict(zip(json.loads(stored["keys"].tobytes()), stored["labels"], strict=True))
        except Exception:  # a cache: whatever is wrong with it, it is made again
            return {}
        return {}
