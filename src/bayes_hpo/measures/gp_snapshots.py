"""The Gaussian process during a search over one hyperparameter (thesis, 2.6.1, figure 2.3)."""

from dataclasses import dataclass
from typing import Annotated

import pandas as pd

from bayes_hpo.acquisition.evaluated import POINT
from bayes_hpo.configuration.limits import NonNegativeInt, Range
from bayes_hpo.errors import UserError
from bayes_hpo.measures.model_line import model_line, only_one
from bayes_hpo.measures.searches import Grid, searches

COLUMNS = ["dataset", "trials", "kind", "x", "y"]


@dataclass(frozen=True, kw_only=True)
class GpSnapshots:
    """The model of a search after given numbers of trials, with the hyperparameter samples drawn by the search.

    methods: the one method whose search is shown.
    repetition: number of the repetition.
    trials: numbers of trials; numbers above the budget are left out, the budget itself is always shown.
    Raises: UserError when more than one hyperparameter is searched, `methods` does not name exactly one method, or its
    search has no such repetition.
    """

    methods: list[str]
    repetition: NonNegativeInt
    trials: list[Annotated[int, Range(ge=2)]]  # a model needs two observations

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame of COLUMNS.

        kind: one of `model_line`, observation, or incumbent (the first of the lowest observations).
        x: value of the hyperparameter.
        y: loss or improvement as a fraction.
        Raises: RunError when a pool is missing or damaged.
        """
        if len(self.methods) != 1:
            raise UserError(f"methods={self.methods} must name one method; a snapshot shows one search")
        runs = list(searches(grid, self.methods))
        wanted = [search for search in runs if search.key["repetition"] == self.repetition]
        if not wanted:
            numbers = sorted({search.key["repetition"] for search in runs})
            raise UserError(f"repetition={self.repetition} was not run; allowed: {numbers[0]} to {numbers[-1]}")
        frames = [self._snapshot(search, t) for search in wanted for t in self._numbers(len(search.pool))]
        return pd.concat(frames, ignore_index=True)

    def _numbers(self, budget):
        return sorted({*(t for t in self.trials if t < budget), budget})

    def _snapshot(self, search, t):
        """Rows of the search after t trials."""
        history, searcher = search.pool.history[:t], search.searcher
        parameter = only_one(searcher.space)
        proposed = searcher.propose(history, search.seeds).memory[POINT]
        X, _, posterior = searcher.fitted(history, search.seeds)
        losses = history.losses
        observations = pd.DataFrame({"kind": "observation", "u": X[:, 0], "y": losses})
        incumbent = observations.iloc[[losses.argmin()]].assign(kind="incumbent")
        rows = pd.concat([model_line(searcher.targets, posterior, losses, proposed), observations, incumbent])
        values = [parameter.decode(u) for u in rows["u"]]
        return rows.assign(dataset=search.key["dataset"], trials=t, x=values)[COLUMNS]
