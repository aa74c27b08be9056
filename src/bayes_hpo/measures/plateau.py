"""When the validation loss of the incumbent of each search stops falling (thesis, 2.6.2)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import check_limits
from bayes_hpo.measures.searches import searches


@dataclass(frozen=True, kw_only=True)
class Plateau:
    """methods: those whose searches are measured. tolerance: what of the loss may still be gained on a plateau.

    printed: the number of trials at which the document sees it. Raises: UserError for a number outside its limits.
    """

    methods: list
    tolerance: float
    printed: int

    def __post_init__(self):
        check_limits("measure", self, tolerance=(0, 1), printed=(0, 1e9))

    def __call__(self, grid):
        """Frame with columns dataset, repetition, validation, method, quantity and value.

        quantity: plateau_distance, between the number of trials after which the incumbent is within the tolerance of
        the final one and the printed number. Raises: Fault when a pool is missing or damaged.
        """
        found = searches(grid, self.methods)
        rows = [search.key | {"quantity": "plateau_distance", "value": self._distance(search)} for search in found]
        return pd.DataFrame(rows)

    def _distance(self, search):
        best = np.minimum.accumulate(search.pool.history.losses)  # (n_trials,)
        return float(abs((best <= best[-1] + self.tolerance).argmax() + 1 - self.printed))
