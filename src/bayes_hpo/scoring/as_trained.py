"""The models of the search itself: their predictions for the test part, which no searcher or selector sees."""

from functools import cached_property
from pathlib import Path

from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.errors import RunError
from bayes_hpo.storage.pools import read_test_predictions


class AsTrained:
    """Predictions of a member's own model, from the file beside the pool at `pool_path` (esmbo, divbo)."""

    def __init__(self, pool_path: Path):
        self.pool_path = pool_path

    @cached_property
    def predictions(self) -> dict[int, NDArray]:
        """Trial -> predictions (n_test[, n_classes]). Raises: RunError when the pool has none."""
        return read_test_predictions(self.pool_path)

    def __call__(self, member: Member) -> NDArray:
        """Predictions (n_test[, n_classes]) of a member's model. Raises: RunError for a member without one."""
        if member.trial is None or member.trial not in self.predictions:
            raise RunError(
                f"{member.configuration} has no model with test predictions in {self.pool_path}; "
                "give the study final: refit, or a selector that chooses among trials"
            )
        return self.predictions[member.trial]

    def save(self) -> None:
        """Nothing: the search has stored everything."""
