"""Test predictions of the models trained during the search; no searcher and no selector sees them."""

import logging
from functools import cached_property
from pathlib import Path

from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.errors import RunError
from bayes_hpo.storage.pools import read_test_predictions

log = logging.getLogger(__name__)


class AsTrained:
    """Test predictions of a member's model, read from the file next to the pool at `pool_path` (esmbo, divbo)."""

    def __init__(self, pool_path: Path):
        self.pool_path = pool_path

    @cached_property
    def predictions(self) -> dict[int, NDArray]:
        """Trial -> test predictions (n_test[, n_classes]), without models that fail. Raises: RunError if all fail."""
        predictions, reasons = read_test_predictions(self.pool_path)
        for trial, reason in reasons.items():
            log.warning("%s: the model of trial %d fails on the test part: %s", self.pool_path, trial, reason)
        return predictions

    def __call__(self, member: Member) -> NDArray | None:
        """Predictions (n_test[, n_classes]) of a member's model; None if it fails on the test part.

        Raises: RunError when the member is not a trial, and when the pool has no test predictions.
        """
        if member.trial is None:
            raise RunError(
                f"{member.configuration} has no model with test predictions in {self.pool_path}; "
                "give the study final: refit, or a selector that chooses among trials"
            )
        return self.predictions.get(member.trial)

    def save(self) -> None:
        """Do nothing: the search has stored the predictions."""
