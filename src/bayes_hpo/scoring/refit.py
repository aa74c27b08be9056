"""Fresh models of the selected configurations, each trained once on all rows outside the test part."""

import json
import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.errors import RunError, described
from bayes_hpo.repetition import Repetition, repetition_key
from bayes_hpo.splits import cap
from bayes_hpo.storage import npz
from bayes_hpo.storage.files import atomic, set_aside

FORM = "refits 2"
log = logging.getLogger(__name__)


class Refit:
    """Test predictions of a fresh model per configuration, trained on training + validation + selection rows.

    repetition: gives the rows, the learner and the seeds.
    most: maximum number of rows of a refit; of more rows a seeded, stratified sample is used (D10).
    store: path of the file that caches predictions by configuration, so that a configuration is trained once, however
        many methods select it. Its key is (fingerprint, data set, repetition, size of the test part); a store with
        another key, or a damaged one, is set aside as `.stale` when a new one is saved.
    fingerprint: digest of what a refit depends on.
    Source: thesis, 3.3.
    """

    def __init__(self, repetition: Repetition, *, most: int, store: str | Path, fingerprint: str):
        self.repetition, self.most, self.store = repetition, most, Path(store)
        self.key = repetition_key(fingerprint, repetition.data.name, repetition.seeds.repetition)
        self.key |= {"test_size": len(repetition.parts.test)}
        self.predictions = self._read()
        self.n_stored = len(self.predictions)

    def __call__(self, member: Member) -> NDArray:
        """Predictions (n_test[, n_classes]) of a member's refit model. Raises: RunError when its training fails."""
        name = json.dumps(member.configuration, sort_keys=True)
        if name not in self.predictions:
            self.predictions[name] = self._fit(member.configuration)
        return self.predictions[name]

    def save(self) -> None:
        """Write the store if it has grown, merged with what score jobs of other studies have added in the meantime."""
        if len(self.predictions) > self.n_stored:
            self.predictions = (current := self._read()) | self.predictions
            if not current and self.store.exists():
                log.warning("%s is damaged or of another refit; set aside as %s", self.store, set_aside(self.store))
            predictions = np.array(list(self.predictions.values()))  # (n_configurations, n_test[, n_classes])
            stored = {"key": npz.from_json(self.key), "configurations": npz.from_json(list(self.predictions))}
            with atomic(self.store) as temporary:
                npz.write(temporary, FORM, stored | {"predictions": predictions})

    def _fit(self, configuration):
        r = self.repetition
        rows = cap(r.parts.visible, r.strata, self.most, r.seeds("refit"))
        try:
            _, predict = r.fit(configuration, rows)
            predictions = predict(r.parts.test)
        except Exception as problem:  # a learner may raise any error
            raise RunError(f"{configuration} could not be refit on {r.data.name}: {described(problem)}") from problem
        return r.task.predictions.stored(predictions, r.data.y)

    def _read(self):
        try:
            stored = npz.read(self.store, FORM)
            if npz.to_json(stored["key"]) == self.key:
                return dict(zip(npz.to_json(stored["configurations"]), stored["predictions"], strict=True))
        except (OSError, ValueError):  # the store is only a cache
            return {}
        return {}
