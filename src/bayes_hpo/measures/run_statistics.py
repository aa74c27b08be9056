"""Statistics of single searches that claims are about: a number per search and quantity, as a tidy frame."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import NonNegativeInt, Range
from bayes_hpo.errors import UserError
from bayes_hpo.measures.model_line import LINE, only_one
from bayes_hpo.measures.searches import Grid, Search, searches

Width = Annotated[float, Range(ge=1e-9, le=1e9)]  # above zero: distances are in decades


@dataclass(frozen=True, kw_only=True)
class RunStatistics:
    """Statistics of the searches of some methods."""

    methods: list[str]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns dataset, repetition, validation, method, quantity and value.

        Raises: RunError when a pool is missing or damaged.
        """
        return pd.DataFrame(
            search.key | {"quantity": quantity, "value": value}
            for search in searches(grid, self.methods)
            for quantity, value in self.statistics(search).items()
        )

    def statistics(self, search: Search) -> dict[str, float]:
        """The value of each quantity in one search."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Attained(RunStatistics):
    """Whether searches attain their lowest validation loss with one choice of a hyperparameter.

    root: name of the hyperparameter.
    choice: its value.
    """

    root: str
    choice: str

    def statistics(self, search: Search) -> dict[str, float]:
        """attained_<choice>: 1 when a trial with this choice has the lowest loss, first of several or not, else 0."""
        losses, configurations = search.pool.history.losses, search.pool.history.configurations
        best = [chosen[self.root] for chosen, loss in zip(configurations, losses, strict=True) if loss == losses.min()]
        return {f"attained_{self.choice}": float(self.choice in best)}


@dataclass(frozen=True, kw_only=True)
class Plateau(RunStatistics):
    """The number of trials after which a search gains no more (thesis, 2.6.2).

    tolerance: the gain of loss that a plateau may still have.
    printed: the number of trials at which the document sees the plateau.
    """

    tolerance: Annotated[float, Range(ge=0, le=1)]
    printed: NonNegativeInt

    def statistics(self, search: Search) -> dict[str, float]:
        """plateau_distance, trials: from the first incumbent within the tolerance of the final one to the printed."""
        best = np.minimum.accumulate(search.pool.history.losses)  # (n_trials,)
        reached = (best <= best[-1] + self.tolerance).argmax() + 1
        return {"plateau_distance": float(abs(reached - self.printed))}


@dataclass(frozen=True, kw_only=True)
class WidthStatistics(RunStatistics):
    """Zone, choice and length scale of searches of one log-scaled hyperparameter (thesis, 2.6.1).

    zone, choice: the good values and the chosen one as printed.
    """

    zone: Width
    choice: Width

    def statistics(self, search: Search) -> dict[str, float]:
        """Three quantities, decades.

        zone_distance: from the printed zone to the middle of the trials or to the lowest mean of the last model,
          whichever lies farther.
        choice_distance: from the printed to the chosen value, the first of the lowest losses.
        length: the length scale of the last model, averaged over its samples as a logarithm.
        Raises: UserError when the space is not one log-scaled hyperparameter.
        """
        searcher: Any = search.searcher  # a Bayesian one
        history = search.pool.history
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
