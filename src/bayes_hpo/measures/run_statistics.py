"""Statistics of single searches for claims: one number per search and quantity, as a tidy frame."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import NonNegativeInt, Range
from bayes_hpo.errors import UserError
from bayes_hpo.measures.model_line import LINE, only_one
from bayes_hpo.measures.searches import Grid, Search, searches

Width = Annotated[float, Range(ge=1e-9, le=1e9)]  # positive, as distances are in decades


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
    """Whether searches attain their lowest validation loss with a given choice of a hyperparameter.

    root: name of the hyperparameter.
    choice: value of the hyperparameter.
    """

    root: str
    choice: str

    def statistics(self, search: Search) -> dict[str, float]:
        """attained_<choice>: 1 if some trial with this choice has the lowest loss, ties included, else 0."""
        losses, configurations = search.pool.history.losses, search.pool.history.configurations
        best = [chosen[self.root] for chosen, loss in zip(configurations, losses, strict=True) if loss == losses.min()]
        return {f"attained_{self.choice}": float(self.choice in best)}


@dataclass(frozen=True, kw_only=True)
class Plateau(RunStatistics):
    """The number of trials after which a search stops improving (thesis, 2.6.2).

    tolerance: maximum decrease of the loss on the plateau.
    printed: number of trials at which the plateau begins according to the document.
    """

    tolerance: Annotated[float, Range(ge=0, le=1)]
    printed: NonNegativeInt

    def statistics(self, search: Search) -> dict[str, float]:
        """plateau_distance, trials: distance of the first trial on the plateau from the printed one."""
        best = np.minimum.accumulate(search.pool.history.losses)  # (n_trials,)
        reached = (best <= best[-1] + self.tolerance).argmax() + 1
        return {"plateau_distance": float(abs(reached - self.printed))}


@dataclass(frozen=True, kw_only=True)
class WidthStatistics(RunStatistics):
    """Good zone, final choice and length scale of searches over one log-scaled hyperparameter (thesis, 2.6.1).

    zone: printed value at which good values concentrate.
    choice: printed final choice.
    """

    zone: Width
    choice: Width

    def statistics(self, search: Search) -> dict[str, float]:
        """Three quantities, decades.

        zone_distance: distance of the printed zone from the median of the trials or from the lowest mean of the final
            model, whichever is larger.
        choice_distance: distance of the printed choice from the trial with the lowest loss.
        length: geometric mean of the length scale over the samples of the final model.
        Raises: UserError when the space is not a single log-scaled hyperparameter.
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
