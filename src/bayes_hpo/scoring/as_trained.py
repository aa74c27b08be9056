"""The models of the search itself: what they predict for the test part, which no searcher or selector sees."""

from functools import cached_property

from bayes_hpo.errors import Fault
from bayes_hpo.storage.pools import read_test_predictions


class AsTrained:
    """Predictions of a member's own model, from the file beside the pool at `pool_path` (esmbo, divbo)."""

    def __init__(self, pool_path):
        self.pool_path = pool_path

    @cached_property
    def predictions(self):
        """dict, trial -> predictions (n_test[, n_classes]). Raises: Fault when the pool has none."""
        return read_test_predictions(self.pool_path)

    def __call__(self, member):
        """Predictions (n_test[, n_classes]). Raises: Fault for a member that has none."""
        if member.trial not in self.predictions:
            raise Fault(
                f"{member.configuration} has no model with test predictions in {self.pool_path}; "
                "give the study final: refit, or a selector that chooses among trials"
            )
        return self.predictions[member.trial]

    def save(self):
        """Nothing: its search has stored everything."""
