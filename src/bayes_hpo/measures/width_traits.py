"""Statistics of searches of one log-scaled hyperparameter: zone, choice, length scale (thesis, 2.6.1)."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import Range
from bayes_hpo.errors import UserError
from bayes_hpo.measures.model_line import LINE, only_one
from bayes_hpo.measures.searches import searches

Width = Annotated[float, Range(ge=1e-9, le=1e9)]


@dataclass(frozen=True, kw_only=True)
class WidthTraits:
    """methods: those whose searches are measured. zone, choice: the good values and the chosen one as printed.

    Raises: UserError for a number outside its limits, above zero: distances are in decades.
    """

    methods: list[str]
    zone: Width
    choice: Width

    def __call__(self, grid: Any) -> pd.DataFrame:
        """Frame with columns dataset, repetition, validation, method, quantity and value (in decades).

        quantity: zone_distance, from the printed zone to the middle of the trials or to the lowest mean of the last
        model, whichever lies farther; choice_distance, from the printed to the chosen value, the first of the lowest
        losses; or length, the length scale of the last model, averaged over its samples as a logarithm.
        Raises: RunError when a pool is missing or damaged; UserError when the space is not one log-scaled
        hyperparameter.
        """
        rows = [
            search.key | {"quantity": quantity, "value": value}
            for search in searches(grid, self.methods)
            for quantity, value in self._statistics(search).items()
        ]
        return pd.DataFrame(rows)

    def _statistics(self, search):
        searcher, history = search.searcher, search.pool.history
        parameter = only_one(searcher.space)
        if not getattr(parameter, "log", False):
            raise UserError("width_traits are distances in decades; search a hyperparameter with log: true")
        low, high = np.log10([parameter.low, parameter.high])
        X, y, posterior = searcher.fitted(history, search.seeds)
        lowest = LINE[posterior.moments(LINE[:, None])[0].mean(axis=0).argmin()]
        good = low + (high - low) * np.array([np.median(X), lowest]) - np.log10(self.zone)
        return {
            "zone_distance": np.abs(good).max(),
            "choice_distance": abs(low + (high - low) * X[y.argmin(), 0] - np.log10(self.choice)),
            "length": (high - low) * np.exp(np.log(posterior.states[:, 3]).mean()),
        }
