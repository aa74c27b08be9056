"""Rank correlation of surrogates on held-out trials, by number of observations (Shen et al. 2022, 4.2, figure 2)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations, permutations
from typing import Annotated, Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import Range
from bayes_hpo.ensembles.diversity import DiversityMatrix
from bayes_hpo.ensembles.probabilities import StoredProbabilities
from bayes_hpo.measures.searches import Grid, Search, searches
from bayes_hpo.spaces.space import Space
from bayes_hpo.stats.ranks import kendall

LEAST = 2  # minimum number of finished trials, to form a pair


@dataclass(frozen=True, kw_only=True)
class SurrogateCorrelations:
    """Kendall's tau between the predictions of surrogates for the last trials of a search and their outcomes (D18).

    methods: methods with random trials, whose searches are read.
    space: space of the study.
    held_out: share of the trials to predict, the last ones.
    sizes: shares of the other trials to observe, the first ones.
    diversity: name -> surrogate of the diversity of pairs.
    performance: name -> surrogate of the validation error.
    needs: name of a surrogate -> module that it requires; it is left out if the module is not installed.
    """

    methods: list[str]
    space: Space
    held_out: Annotated[float, Range(gt=0, lt=1)]
    sizes: list[Annotated[float, Range(gt=0, le=1)]]
    diversity: Mapping[str, Any]
    performance: Mapping[str, Any]
    needs: Mapping[str, str]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per search, size and surrogate: the columns of `RunStatistics`, and

        surrogate: name of the surrogate.
        observations: number of observed trials, including failed ones.
        quantity: tau_<surrogate> for the full number of observations, else tau_<surrogate>_<observations>.
        value: tau; NaN if all predictions of a surrogate are equal.
        Failed trials are excluded from pairs and predictions, but are given to the surrogate of the error, as in a
        search (D22).
        Raises: RunError when a pool is missing or damaged, or stores no probabilities.
        """
        return pd.DataFrame(row for search in searches(grid, self.methods) for row in self._rows(search))

    def _rows(self, search: Search) -> Iterator[dict]:
        sample = Sample.of(search, self.space, self.held_out)
        for n in dict.fromkeys(round(share * sample.observed) for share in self.sizes):
            for name, tau in self._taus(sample, n, search.seeds) if sample.enough(n) else ():
                quantity = f"tau_{name}" if n == sample.observed else f"tau_{name}_{n}"
                named = {"surrogate": name, "observations": n, "quantity": quantity}
                yield search.key | named | {"value": tau}

    def _taus(self, sample, n, seeds):
        """Yield (name, tau) of each surrogate, given the first n trials."""
        kinds = {sample.tau_of_pairs: self.diversity, sample.tau_of_errors: self.performance}
        for tau, surrogates in kinds.items():
            for name, surrogate in surrogates.items():
                if name not in self.needs or find_spec(self.needs[name]):
                    yield name, tau(surrogate, n, seeds(f"surrogate_correlations_{name}", n))


@dataclass(frozen=True)
class Sample:
    """Trials of a search, the first `observed` of which may be given to surrogates.

    points (n, d): encoded configurations, imputed.
    losses (n,): validation errors.
    finished (n,): whether each trial has finished.
    diversities (n, n): eq. 3.
    """

    points: NDArray
    losses: NDArray
    finished: NDArray
    diversities: NDArray
    observed: int

    @classmethod
    def of(cls, search: Search, space: Space, held_out: float) -> "Sample":
        """The trials of a search, with a share held out."""
        history = search.pool.history
        stored, points = StoredProbabilities.of(history), space.encode(history.configurations)
        observed = len(history) - max(1, round(held_out * len(history)))
        return cls(points, stored.losses, stored.finished, DiversityMatrix()(stored), observed)

    @property
    def held_out(self) -> NDArray:
        """(m,) finished trials to predict."""
        return self.observed + np.flatnonzero(self.finished[self.observed :])

    def enough(self, n: int) -> bool:
        """Whether there are pairs both among the first n trials and among the held-out ones."""
        return min(self.finished[:n].sum(), len(self.held_out)) >= LEAST

    def tau_of_pairs(self, surrogate: Any, n: int, rng: Generator) -> float:
        """Tau over m (m - 1) / 2 held-out pairs, of a surrogate fitted to all ordered pairs of the first n trials."""
        given = np.array(list(permutations(np.flatnonzero(self.finished[:n]), 2)))  # (k, 2)
        fitted = surrogate.fit(self._side_by_side(given), self.diversities[tuple(given.T)], {}, rng)
        asked = np.array(list(combinations(self.held_out, 2)))  # (m (m - 1) / 2, 2)
        return kendall(fitted.moments(self._side_by_side(asked))[0][0], self.diversities[tuple(asked.T)])

    def tau_of_errors(self, surrogate: Any, n: int, rng: Generator) -> float:
        """Tau over the m held-out trials, of a surrogate fitted to the errors of the first n trials."""
        fitted = surrogate.fit(self.points[:n], self.losses[:n], {}, rng)
        return kendall(fitted.moments(self.points[self.held_out])[0][0], self.losses[self.held_out])

    def _side_by_side(self, pairs):
        """Concatenated points (k, 2 d) of pairs (k, 2)."""
        return self.points[pairs].reshape(len(pairs), -1)
