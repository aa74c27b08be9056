"""Two criteria combined: a weighted sum of the ranks that they give to the candidates (Shen et al. 2022, eq. 5)."""

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from numpy.typing import NDArray
from scipy.stats import rankdata

from bayes_hpo.configuration.limits import NonNegativeFloat
from bayes_hpo.contracts import Criterion


@runtime_checkable
class Ranks(Protocol):
    """A ranking rule."""

    def __call__(self, values: NDArray, /) -> NDArray:
        """Ranks (m,) of the values (m,), 1 for the highest."""
        ...


def average_ranks(values: NDArray) -> NDArray:
    """Ranks (m,) of the values (m,), 1 for the highest; equal values share their mean rank."""
    return rankdata(-values)


def ordinal_ranks(values: NDArray) -> NDArray:
    """Ranks (m,) of the values (m,), 1 for the highest; equal values are ranked in their order (D16, a variant)."""
    return rankdata(-values, method="ordinal")


@runtime_checkable
class Weight(Protocol):
    """The weight of the diversity rank in the course of a search."""

    def __call__(self, t: int, /) -> float:
        """Weight after t trials."""
        ...


def sigmoid_weight(t: int, *, beta: NonNegativeFloat, tau: NonNegativeFloat) -> float:
    """Weight after t trials, which increases from 0 to beta / 2.

    w = beta (sigmoid(tau t) - 1/2)  (Shen et al. 2022, 3.2; D16)
    """
    return beta * (1 / (1 + math.exp(-tau * t)) - 0.5)


def fixed_weight(t: int, *, weight: NonNegativeFloat) -> float:
    """Constant weight (Shen et al. 2022, table 8)."""
    return weight


@dataclass(frozen=True)
class RankSum:
    """A criterion of the set of all candidates: the negative weighted sum of two ranks.

    performance, diversity: the criteria to rank by.
    weight: weight of the diversity rank.
    ranks: ranking rule for the performance; diversity has average ranks.
    """

    performance: Criterion
    diversity: Criterion
    weight: float
    ranks: Ranks = average_ranks

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) of the points (m, d), which must be all candidates."""
        # R_perf + w R_div, to be minimized  (eq. 5)
        performance, diversity = self.performance.values(points), self.diversity.values(points)
        return -(self.ranks(performance) + self.weight * average_ranks(diversity))
