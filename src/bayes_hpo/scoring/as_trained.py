"""The models of the search itself: their predictions for the test part, which no searcher or selector sees."""

import logging
from functools import cached_property
from pathlib import Path

from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.errors import RunError
from bayes_hpo.storage.pools import read_test_predictions

log = logging.getLogger(__name__)


class AsTrained:
    """Predictions of a member's own model, from the file beside the pool at `pool_path` (esmbo, divbo)."""

    def __init__(self, pool_path: Path):
        self.pool_path = pool_path

    @cached_property
    def predictions(self) -> dict[int, NDArray]:
        """Trial -> predictions (n_test[, n_classes]); without those that fail there. Raises: RunError when all do."""
        predictions, reasons = read_test_predictions(self.pool_path)
        for trial, reason in reasons.items():
            log.warning("%s: the model of trial %d fails on the test part: %s", self.pool_path, trial, reason)
        return predictions

    def __call__(self, member: Member) -> NDArray | None:
        """Predictions (n_test[, n_classes]) of a member's model, None where it fails on the test part.

        Raises: RunError for a member that is no trial, and when the pool has no test predictions.
        """
        if member.trial is None:
            raise RunError(
                f"{member.configuration} has no model with test predictions in {self.pool_path}; "
                "give the study final: refit, or a selector that chooses among trials"
            )
        return self.predictions.get(member.trial)

    def save(self) -> None:
        """Nothing: the search has stored everything."""
