"""How much the members of final ensembles differ from each other (Shen et al. 2022, 4.3, figure 6)."""

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
    """methods: whose searches. ensemble: the selection from all their trials."""

    methods: list[str]
    ensemble: Forward

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, a row per search and ordered pair of distinct members, a member with itself included.

        first, second: their trials, from 1, so that a later member has the higher number.
        diversity: eq. 3. disagreement: share of the validation rows on which they decide different classes.
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
    """The means over the pairs of different members; ensemble: the selection."""

    ensemble: Forward

    def statistics(self, search: Search) -> dict[str, float]:
        """pair_diversity and pair_disagreement, 0 for a single member: it differs from no other one."""
        members, *both = squares(search, self.ensemble)
        upper = np.triu_indices(len(members), k=1)
        means = [square[upper].mean() if len(members) > 1 else 0.0 for square in both]
        return dict(zip(("pair_diversity", "pair_disagreement"), means, strict=True))


def squares(search: Search, ensemble: Forward) -> tuple[NDArray, NDArray, NDArray]:
    """The distinct members (m,) of the final ensemble, in order; their diversities and disagreements (m, m)."""
    stored = StoredProbabilities.of(search.pool.history)
    members = np.unique(ensemble.path(stored, search.seeds).trials)
    of_members = stored.values[members]
    diversity = np.array([diversities(member, of_members) for member in of_members])
    return members, diversity, pairwise_disagreement(stored.labels[members])
