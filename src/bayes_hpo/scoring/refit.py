"""Fresh models of chosen configurations, trained on everything but the test part, each once."""

import json
import logging
from pathlib import Path

import numpy as np

from bayes_hpo.errors import Fault, described
from bayes_hpo.repetition import repetition_key
from bayes_hpo.splits import cap
from bayes_hpo.storage import npz
from bayes_hpo.storage.files import atomic, set_aside

FORM = "refits 2"
log = logging.getLogger(__name__)


class Refit:
    """Predictions of a fresh model per configuration, trained on training + validation + selection rows (thesis, 3.3).

    At most `most` of those rows, a seeded stratified draw (D10). `store` is a file of them by configuration: what it
    holds with the same key (fingerprint, data set, repetition, size of the test part) is not trained again, however
    many methods chose it. A store with another key, or a damaged one, is set aside as `.stale` when a new one is saved.
    """

    def __init__(self, repetition, *, most, store, fingerprint):
        self.repetition, self.most, self.store = repetition, most, Path(store)
        self.key = repetition_key(fingerprint, repetition.data.name, repetition.seeds.repetition)
        self.key |= {"test_size": len(repetition.parts.test)}
        self.predictions = self._read()
        self.stored = len(self.predictions)

    def __call__(self, member):
        """Predictions (n_test[, n_classes]) of a member's refit model. Raises: Fault when it cannot be trained."""
        name = json.dumps(member.configuration, sort_keys=True)
        if name not in self.predictions:
            self.predictions[name] = self._fit(member.configuration)
        return self.predictions[name]

    def save(self):
        """Write the store when it has grown, with what the score job of another study has put there meanwhile."""
        if len(self.predictions) > self.stored:
            self.predictions = (there := self._read()) | self.predictions
            if not there and self.store.exists():
                log.warning("%s is damaged or of another refit; set aside as %s", self.store, set_aside(self.store))
            predictions = np.array(list(self.predictions.values()))  # (n_configurations, n_test[, n_classes])
            stored = {"key": npz.from_json(self.key), "configurations": npz.from_json(list(self.predictions))}
            with atomic(self.store) as part:
                npz.write(part, FORM, stored | {"predictions": predictions})

    def _fit(self, configuration):
        r = self.repetition
        rows = cap(r.parts.visible, r.strata, self.most, r.seeds("refit"))
        try:
            _, predict = r.fit(configuration, rows)
            predictions = predict(r.parts.test)
        except Exception as problem:  # whatever a learner raises
            raise Fault(f"{configuration} could not be refit on {r.data.name}: {described(problem)}") from problem
        return r.task.predictions.stored(predictions, r.data.y)

    def _read(self):
        try:
            stored = npz.read(self.store, FORM)
            if npz.to_json(stored["key"]) == self.key:
                return dict(zip(npz.to_json(stored["configurations"]), stored["predictions"], strict=True))
        except (OSError, ValueError):  # a cache: without a whole one the models are trained again
            return {}
        return {}
