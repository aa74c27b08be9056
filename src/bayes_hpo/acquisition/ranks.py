"""Two criteria as one: a weighted sum of the ranks that they give to the candidates (Shen et al. 2022, eq. 5)."""

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from numpy.typing import NDArray
from scipy.stats import rankdata

from bayes_hpo.configuration.limits import NonNegativeFloat
from bayes_hpo.contracts import Criterion


@runtime_checkable
class Ranks(Protocol):
    """A rule by which values become ranks."""

    def __call__(self, values: NDArray, /) -> NDArray:
        """Ranks (m,) of the values (m,), 1 for the highest."""
        ...


def average_ranks(values: NDArray) -> NDArray:
    """Ranks (m,), 1 for the highest of the values (m,); equal values share the mean of their places."""
    return rankdata(-values)


def ordinal_ranks(values: NDArray) -> NDArray:
    """Ranks (m,), 1 for the highest of the values (m,); of equal values the first is ranked first (D16, a variant)."""
    return rankdata(-values, method="ordinal")


@runtime_checkable
class Weight(Protocol):
    """The weight of the rank of diversity along a search."""

    def __call__(self, t: int, /) -> float:
        """The weight after t trials."""
        ...


def sigmoid_weight(t: int, *, beta: NonNegativeFloat, tau: NonNegativeFloat) -> float:
    """The weight after t trials, which grows from 0 to beta / 2.

    w = beta (sigmoid(tau t) - 1/2)  (Shen et al. 2022, 3.2; D16)
    """
    return beta * (1 / (1 + math.exp(-tau * t)) - 0.5)


def fixed_weight(t: int, *, weight: NonNegativeFloat) -> float:
    """The same weight after any number of trials (Shen et al. 2022, table 8)."""
    return weight


@dataclass(frozen=True)
class RankSum:
    """A criterion of the candidates as a whole: the sum of two ranks, its sign turned.

    performance, diversity: the criteria.
    weight: of the rank of diversity.
    ranks: of performance; those of diversity are average ones.
    """

    performance: Criterion
    diversity: Criterion
    weight: float
    ranks: Ranks = average_ranks

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) of points (m, d), which must be all candidates."""
        # R_perf + w R_div, of which the lowest is chosen  (eq. 5)
        performance, diversity = self.performance.values(points), self.diversity.values(points)
        return -(self.ranks(performance) + self.weight * average_ranks(diversity))
