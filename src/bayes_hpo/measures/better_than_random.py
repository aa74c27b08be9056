"""The share of random configurations that are worse than the mean suggestion of a search (Shen et al. 2022, 4.3)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.measures.searches import Grid, Search, searches
from bayes_hpo.pool import FINISHED, Pool
from bayes_hpo.stats.ranks import share_above_mean


@dataclass(frozen=True, kw_only=True)
class BetterThanRandom:
    """Compares searches with random searches of the same repetition (D28).

    methods: first the random method, then the methods to compare with it.
    first: first trial that counts as a suggestion; earlier ones are the random initial design.
    """

    methods: list[str]
    first: PositiveInt

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with the columns of `RunStatistics`; quantity: better_than_random, in [0, 1].

        Searches without a random counterpart are left out. Raises: RunError when a pool is missing or damaged.
        """
        drawn, *others = self.methods
        random = {_run(search): errors(search.pool) for search in searches(grid, [drawn])}
        compared = [search for search in searches(grid, others) if _run(search) in random]
        return pd.DataFrame(
            search.key | {"quantity": "better_than_random", "value": self.share(search, random[_run(search)])}
            for search in compared
        )

    def share(self, search: Search, random: NDArray) -> float:
        """The share of random trials (n,) that fail or have a higher error than the mean suggestion."""
        return share_above_mean(random, errors(search.pool)[self.first - 1 :])


def errors(pool: Pool) -> NDArray:
    """Validation losses (n,) of the trials of a pool; NaN for failed ones."""
    return np.array([trial.loss if trial.status == FINISHED else np.nan for trial in pool])


def _run(search):
    return search.key["dataset"], search.key["repetition"]
