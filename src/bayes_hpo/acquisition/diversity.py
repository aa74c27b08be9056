"""The diversity that an evaluation is expected to bring to an ensemble (Shen et al. 2022, eq. 4).

Shapes: N draws from a predictive distribution, m points, d coordinates.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.contracts import Predictive


@runtime_checkable
class Sampler(Protocol):
    """A rule by which diversities are drawn from what a surrogate predicts."""

    def __call__(self, predictive: Predictive, pairs: NDArray, rng: Generator, /) -> NDArray:
        """Diversities (N, m), in [0, 1], of pairs (m, 2 d) of configurations."""
        ...


def sample_normal(predictive: Predictive, pairs: NDArray, rng: Generator, *, count: PositiveInt) -> NDArray:
    """Independent normal draws (count, m) of the diversities of pairs (m, 2 d), clipped to [0, 1] (D15)."""
    mean, variance = predictive.moments(pairs)  # (1, m)
    return np.clip(mean + np.sqrt(variance) * rng.standard_normal((count, len(pairs))), 0, 1)


class OfMembers(Predictive, Protocol):
    """What an ensemble predicts, member by member."""

    def members(self, points: NDArray) -> NDArray:
        """Predictions (N, m) of each member at points (m, 2 d)."""
        ...


def sample_members(predictive: OfMembers, pairs: NDArray, rng: Generator) -> NDArray:
    """The predictions (N, m) of an ensemble's members for pairs (m, 2 d), clipped to [0, 1] (D15, a variant)."""
    return np.clip(predictive.members(pairs), 0, 1)


@dataclass(frozen=True)
class MinimumDiversity:
    """The expected diversity of a configuration and the member of an ensemble that is nearest to it.

    predictive: of the diversity of pairs.
    members (k, d): points of the ensemble's distinct members.
    sampler: draws from the predictive.
    rng: of the draws.
    """

    predictive: Predictive
    members: NDArray
    sampler: Sampler
    rng: Generator

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d)."""
        # alpha_div(x) = 1/N sum_n min_{theta in P} M_div^n(theta, x)  (eq. 4)
        lowest = np.array(np.inf)
        for member in self.members:
            pairs = np.hstack([np.broadcast_to(member, points.shape), points])
            lowest = np.minimum(lowest, self.sampler(self.predictive, pairs, self.rng))  # (N, m)
        return lowest.mean(axis=0)
