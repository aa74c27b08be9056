"""How well surrogates rank what they have not seen, by the number of observations (Shen et al. 2022, 4.2, figure 2)."""

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

LEAST = 2  # finished trials, of which there are pairs


@dataclass(frozen=True, kw_only=True)
class SurrogateCorrelations:
    """Kendall's tau between what surrogates predict of the last trials of a search and what came of them (D18).

    methods: those whose searches are read, of random trials.
    space: of the study.
    held_out: share of the trials that is predicted, the last ones.
    sizes: shares of the others that are observed, the first ones.
    diversity: name -> surrogate of the diversity of pairs. performance: name -> surrogate of the validation error.
    needs: name of a surrogate -> the module that it needs; it is left out where the module is not installed.
    """

    methods: list[str]
    space: Space
    held_out: Annotated[float, Range(gt=0, lt=1)]
    sizes: list[Annotated[float, Range(gt=0, le=1)]]
    diversity: Mapping[str, Any]
    performance: Mapping[str, Any]
    needs: Mapping[str, str]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, a row per search, size and surrogate: the columns of `RunStatistics`, and

        surrogate: name. observations: number of trials observed, failed ones included.
        quantity: tau_<surrogate> after all trials that may be observed, else tau_<surrogate>_<observations>.
        value: tau, NaN where a surrogate predicts the same for all.
        Failed trials are in no pair and not predicted; the surrogate of the error is given them, as in a search (D22).
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
        """Yield (name, tau) of each surrogate that is given the first n trials."""
        kinds = {sample.tau_of_pairs: self.diversity, sample.tau_of_errors: self.performance}
        for tau, surrogates in kinds.items():
            for name, surrogate in surrogates.items():
                if name not in self.needs or find_spec(self.needs[name]):
                    yield name, tau(surrogate, n, seeds("surrogate_correlations", n))


@dataclass(frozen=True)
class Sample:
    """Trials, the first `observed` of which may be given to surrogates.

    points (n, d): imputed. losses (n,): validation errors. finished (n,): whether trials have finished.
    diversities (n, n): eq. 3.
    """

    points: NDArray
    losses: NDArray
    finished: NDArray
    diversities: NDArray
    observed: int

    @classmethod
    def of(cls, search: Search, space: Space, held_out: float) -> "Sample":
        """The trials of a search, of which a share is held out."""
        history = search.pool.history
        stored, points = StoredProbabilities.of(history), space.encode(history.configurations)
        observed = len(history) - max(1, round(held_out * len(history)))
        return cls(points, stored.losses, stored.finished, DiversityMatrix()(stored), observed)

    @property
    def held_out(self) -> NDArray:
        """(m,) trials that are predicted."""
        return self.observed + np.flatnonzero(self.finished[self.observed :])

    def enough(self, n: int) -> bool:
        """Whether there are pairs among the first n trials and among those that are held out."""
        return min(self.finished[:n].sum(), len(self.held_out)) >= LEAST

    def tau_of_pairs(self, surrogate: Any, n: int, rng: Generator) -> float:
        """Tau over the m (m - 1) / 2 pairs held out, of a surrogate of all ordered pairs of the first n trials."""
        given = np.array(list(permutations(np.flatnonzero(self.finished[:n]), 2)))  # (k, 2)
        fitted = surrogate.fit(self._side_by_side(given), self.diversities[tuple(given.T)], {}, rng)
        asked = np.array(list(combinations(self.held_out, 2)))  # (m (m - 1) / 2, 2)
        return kendall(fitted.moments(self._side_by_side(asked))[0][0], self.diversities[tuple(asked.T)])

    def tau_of_errors(self, surrogate: Any, n: int, rng: Generator) -> float:
        """Tau over the m trials held out, of a surrogate of the errors of the first n trials."""
        fitted = surrogate.fit(self.points[:n], self.losses[:n], {}, rng)
        return kendall(fitted.moments(self.points[self.held_out])[0][0], self.losses[self.held_out])

    def _side_by_side(self, pairs):
        """Points (k, 2 d) of pairs (k, 2)."""
        return self.points[pairs].reshape(len(pairs), -1)
