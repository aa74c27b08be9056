"""The expected diversity of a configuration to the members of an ensemble (Shen et al. 2022, eq. 4).

Shapes: N draws from the predictive distribution, k members of the ensemble, m points, d coordinates.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.contracts import Memory


class PairPredictive(Protocol):
    """A fitted surrogate of pairs, evaluated at all pairs of two sets; the firsts (k, d) are ensemble members."""

    def moments_between(self, firsts: NDArray, seconds: NDArray) -> tuple[NDArray, NDArray]:
        """Means (k, m) and positive variances (k, m) for all pairs of firsts (k, d) and seconds (m, d)."""
        ...


class OfMembers(PairPredictive, Protocol):
    """A surrogate of pairs made of N models."""

    def members_between(self, firsts: NDArray, seconds: NDArray) -> NDArray:
        """Predictions (N, k, m) of each model."""
        ...


@runtime_checkable
class PairSurrogate(Protocol):
    """A surrogate of a function of two configurations, whose points are concatenated."""

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> PairPredictive:
        """Fit the surrogate to the targets (n,) at pairs, points (n, 2 d); memory is always empty."""
        ...


@runtime_checkable
class Sampler(Protocol):
    """Draws diversities from a surrogate's predictions."""

    def __call__(self, predictive: PairPredictive, firsts: NDArray, seconds: NDArray, rng: Generator, /) -> NDArray:
        """Diversities (N, k, m), in [0, 1], for all pairs of firsts (k, d) and seconds (m, d)."""
        ...


def sample_normal(
    predictive: PairPredictive, firsts: NDArray, seconds: NDArray, rng: Generator, *, count: PositiveInt
) -> NDArray:
    """Independent normal draws (count, k, m) for each pair, clipped to [0, 1] (D15)."""
    mean, variance = predictive.moments_between(firsts, seconds)  # (k, m)
    return np.clip(mean + np.sqrt(variance) * rng.standard_normal((count, *mean.shape)), 0, 1)


def sample_members(predictive: OfMembers, firsts: NDArray, seconds: NDArray, rng: Generator) -> NDArray:
    """Predictions (N, k, m) of the surrogate's models, clipped to [0, 1] (D15, a variant)."""
    return np.clip(predictive.members_between(firsts, seconds), 0, 1)


@dataclass(frozen=True)
class MinimumDiversity:
    """The expected minimum diversity of a configuration to the members of an ensemble.

    predictive: predicts the diversity of pairs.
    members (k, d): points of the ensemble's distinct members.
    sampler: draws from the predictive distribution.
    rng: generator of the draws.
    """

    predictive: PairPredictive
    members: NDArray
    sampler: Sampler
    rng: Generator

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d)."""
        # alpha_div(x) = 1/N sum_n min_{theta in P} M_div^n(theta, x)  (eq. 4)
        drawn = self.sampler(self.predictive, self.members, points, self.rng)  # (N, k, m)
        return drawn.min(axis=1).mean(axis=0)
