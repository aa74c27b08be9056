"""DivBO: diversity-aware Bayesian optimization (Shen et al. 2022, algorithm 1)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.acquisition.diversity import MinimumDiversity, PairPredictive, PairSurrogate, Sampler
from bayes_hpo.acquisition.ranks import Ranks, RankSum, Weight, average_ranks
from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.contracts import Criterion, Predictive
from bayes_hpo.ensembles.diversity import DiversityMatrix
from bayes_hpo.ensembles.greedy import Forward
from bayes_hpo.ensembles.probabilities import StoredProbabilities
from bayes_hpo.pool import History
from bayes_hpo.search.bayesian import NO_STATE, Bayesian
from bayes_hpo.seeds import Seeds

Pairs = Callable[[int, Generator], NDArray]  # number of models, rng -> ordered pairs (k, 2) to fit


def every_pair(n: int, rng: Generator) -> NDArray:
    """All ordered pairs (n (n - 1), 2) of distinct models (Shen et al. 2022, 3.1)."""
    return np.argwhere(~np.eye(n, dtype=bool))


def some_pairs(n: int, rng: Generator, *, most: PositiveInt) -> NDArray:
    """Ordered pairs (k, 2), at most `most` of them, drawn without replacement (D17, a variant)."""
    pairs = every_pair(n, rng)
    return pairs if len(pairs) <= most else rng.choice(pairs, most, replace=False)


@dataclass(frozen=True, kw_only=True)
class DivBO(Bayesian):
    """Bayesian optimization that ranks candidates by performance and by diversity to an ensemble.

    ensemble: selects the temporary pool from the history.
    diversity: surrogate of the diversity of two configurations, whose points are concatenated.
    pairs: pairs of finished trials to which the diversity surrogate is fitted.
    sampler: draws from the predicted distribution of the diversity.
    weight: weight of the diversity rank.
    ranks: ranking rule for the performance.
    """

    ensemble: Forward
    diversity: PairSurrogate
    pairs: Pairs
    sampler: Sampler
    weight: Weight
    ranks: Ranks = average_ranks

    def criterion(self, history: History, predictive: Predictive, targets: NDArray, seeds: Seeds) -> Criterion:
        """-(R_perf + w R_div) (eq. 5); performance alone until two trials have finished."""
        performance = super().criterion(history, predictive, targets, seeds)
        stored, t = StoredProbabilities.of(history), len(history)
        finished = np.flatnonzero(stored.finished)
        if len(finished) < 2:
            return performance
        members = np.unique(self.ensemble.grown(stored, finished, seeds))  # the temporary pool P of algorithm 1
        points, rng = self.points(history), seeds("diversity", t)
        fitted = self.fitted_diversity(points[finished], self._matrix(stored)[np.ix_(finished, finished)], rng)
        diversity = MinimumDiversity(fitted, points[members], self.sampler, rng)
        return RankSum(performance, diversity, self.weight(t), self.ranks)

    def fitted_diversity(self, points: NDArray, diversities: NDArray, rng: Generator) -> PairPredictive:
        """The diversity surrogate, fitted to the diversities (n, n) of the models at points (n, d)."""
        first, second = self.pairs(len(points), rng).T
        return self.diversity.fit(np.hstack([points[first], points[second]]), diversities[first, second], NO_STATE, rng)

    @cached_property
    def _matrix(self):
        return DiversityMatrix()
