"""The share of random configurations that are worse than the mean suggestion of a search (Shen et al. 2022, 4.3)."""

from dataclasses import dataclass

import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.measures.searches import Grid, Search, searches
from bayes_hpo.pool import FINISHED


@dataclass(frozen=True, kw_only=True)
class BetterThanRandom:
    """Searches beside random ones of the same repetition (D28).

    methods: the one whose searches are random, then those that are compared with it.
    first: trial from which suggestions count, the random ones before it left out.
    """

    methods: list[str]
    first: PositiveInt

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with the columns of `RunStatistics`; quantity: better_than_random, in [0, 1].

        Searches without a random one are left out. Raises: RunError when a pool is missing or damaged.
        """
        drawn, *others = self.methods
        random = {_run(search): search.pool.history.losses for search in searches(grid, [drawn])}
        compared = [search for search in searches(grid, others) if _run(search) in random]
        return pd.DataFrame(
            search.key | {"quantity": "better_than_random", "value": self.share(search, random[_run(search)])}
            for search in compared
        )

    def share(self, search: Search, random: NDArray) -> float:
        """The share of random trials (n,) whose loss, 1 for a failed one, is above the mean of the suggestions.

        0 where all suggestions have failed.
        """
        losses = [trial.loss for trial in search.pool.trials[self.first - 1 :] if trial.status == FINISHED]
        return float((random > sum(losses) / len(losses)).mean()) if losses else 0.0


def _run(search):
    return search.key["dataset"], search.key["repetition"]
