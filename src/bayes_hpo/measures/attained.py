"""Whether a search has found its lowest validation loss with one choice of a hyperparameter, first or not."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from bayes_hpo.measures.searches import searches


@dataclass(frozen=True, kw_only=True)
class Attained:
    """Whether searches attain their lowest loss with one choice.

    methods: those whose searches are measured.
    root: name of the hyperparameter.
    choice: its value.
    """

    methods: list[str]
    root: str
    choice: str

    def __call__(self, grid: Any) -> pd.DataFrame:
        """Frame with columns dataset, repetition, validation, method, quantity and value.

        quantity: attained_<choice>, 1 when a trial with this choice has the lowest loss of its search, whether or not
        it is the first of several, else 0.
        Raises: RunError when a pool is missing or damaged.
        """
        quantity = f"attained_{self.choice}"
        runs = searches(grid, self.methods)
        return pd.DataFrame(run.key | {"quantity": quantity, "value": self._attains(run)} for run in runs)

    def _attains(self, search):
        losses, configurations = search.pool.history.losses, search.pool.history.configurations
        best = [chosen for chosen, loss in zip(configurations, losses, strict=True) if loss == losses.min()]
        return float(any(configuration[self.root] == self.choice for configuration in best))
