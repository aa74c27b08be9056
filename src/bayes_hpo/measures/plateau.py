"""When the validation loss of the incumbent of each search stops falling (thesis, 2.6.2)."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import NonNegativeInt, Range
from bayes_hpo.measures.searches import searches


@dataclass(frozen=True, kw_only=True)
class Plateau:
    """The number of trials after which a search gains no more.

    methods: those whose searches are measured.
    tolerance: the gain of loss that a plateau may still have.
    printed: the number of trials at which the document sees the plateau.
    """

    methods: list[str]
    tolerance: Annotated[float, Range(ge=0, le=1)]
    printed: NonNegativeInt

    def __call__(self, grid: Any) -> pd.DataFrame:
        """Frame with columns dataset, repetition, validation, method, quantity and value.

        quantity: plateau_distance, between the number of trials after which the incumbent is within the tolerance of
        the final one and the printed number. Raises: RunError when a pool is missing or damaged.
        """
        runs = searches(grid, self.methods)
        return pd.DataFrame(run.key | {"quantity": "plateau_distance", "value": self._distance(run)} for run in runs)

    def _distance(self, search):
        best = np.minimum.accumulate(search.pool.history.losses)  # (n_trials,)
        return float(abs((best <= best[-1] + self.tolerance).argmax() + 1 - self.printed))
