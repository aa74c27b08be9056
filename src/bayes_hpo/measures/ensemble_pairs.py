"""Diversity and disagreement between the members of final ensembles (Shen et al. 2022, 4.3, figure 6)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.ensembles.diversity import diversities, pairwise_disagreement
from bayes_hpo.ensembles.greedy import Forward
from bayes_hpo.ensembles.probabilities import StoredProbabilities
from bayes_hpo.measures.run_statistics import RunStatistics
from bayes_hpo.measures.searches import Grid, Search, searches


@dataclass(frozen=True, kw_only=True)
class EnsemblePairs:
    """Pairs of members of final ensembles.

    methods: methods whose searches are read.
    ensemble: selection of the ensemble from all trials of a search.
    """

    methods: list[str]
    ensemble: Forward

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per search and ordered pair of distinct members, including each member with itself.

        first, second: trials of the members, from 1.
        diversity: eq. 3.
        disagreement: share of the validation rows with different decisions.
        Raises: RunError when a pool is missing or damaged, or stores no probabilities.
        """
        return pd.DataFrame(row for search in searches(grid, self.methods) for row in self._rows(search))

    def _rows(self, search: Search) -> Iterator[dict]:
        members, diversity, disagreement = squares(search, self.ensemble)
        for (i, j), value in np.ndenumerate(diversity):
            pair = {"first": members[i] + 1, "second": members[j] + 1}
            yield search.key | pair | {"diversity": value, "disagreement": disagreement[i, j]}


@dataclass(frozen=True, kw_only=True)
class PairStatistics(RunStatistics):
    """Means over the pairs of distinct members; ensemble: selection of the ensemble."""

    ensemble: Forward

    def statistics(self, search: Search) -> dict[str, float]:
        """pair_diversity and pair_disagreement; 0 for an ensemble of one member."""
        members, *both = squares(search, self.ensemble)
        upper = np.triu_indices(len(members), k=1)
        means = [square[upper].mean() if len(members) > 1 else 0.0 for square in both]
        return dict(zip(("pair_diversity", "pair_disagreement"), means, strict=True))


def squares(search: Search, ensemble: Forward) -> tuple[NDArray, NDArray, NDArray]:
    """The distinct members (m,) of the final ensemble, sorted, and their diversities and disagreements (m, m)."""
    stored = StoredProbabilities.of(search.pool.history)
    members = np.unique(ensemble.path(stored, search.seeds).trials)
    of_members = stored.values[members]
    diversity = np.array([diversities(member, of_members) for member in of_members])
    return members, diversity, pairwise_disagreement(stored.labels[members])
