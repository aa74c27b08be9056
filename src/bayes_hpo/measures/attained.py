"""Whether a search has found its lowest validation loss with one choice of a hyperparameter, first or not."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from bayes_hpo.measures.searches import searches


@dataclass(frozen=True, kw_only=True)
class Attained:
    """methods: those whose searches are measured. root: the hyperparameter; choice: its value."""

    methods: list
    root: str
    choice: str

    def __call__(self, grid: Any) -> pd.DataFrame:
        """Frame with columns dataset, repetition, validation, method, quantity and value.

        quantity: attained_<choice>, 1 when a trial with this choice has the lowest loss of its search, else 0. Which of
        equal losses comes first, and so is selected, does not count.
        Raises: Fault when a pool is missing or damaged.
        """
        quantity = f"attained_{self.choice}"
        found = searches(grid, self.methods)
        return pd.DataFrame(search.key | {"quantity": quantity, "value": self._attains(search)} for search in found)

    def _attains(self, search):
        losses, configurations = search.pool.history.losses, search.pool.history.configurations
        best = [one for one, loss in zip(configurations, losses, strict=True) if loss == losses.min()]
        return float(any(one[self.root] == self.choice for one in best))
