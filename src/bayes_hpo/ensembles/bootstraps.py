"""Resamples of the validation rows, given by the weight of each row in each resample.

Source: Lacoste et al. 2014, section 3. Shapes: n validation rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt, Range
from bayes_hpo.seeds import Seeds

HELD = 2**23  # weights held in memory at once: 64 MiB


@runtime_checkable
class Resampling(Protocol):
    """Draws weights of the validation rows."""

    @property
    def count(self) -> int:
        """Number of draws."""
        ...

    def draw(self, count: int, n: int, rng: Generator) -> NDArray:
        """Weights (count, n) of the next draws; they do not depend on how the draws are divided into calls."""
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class Bootstraps:
    """Resamples with replacement; the weight of a row is the number of times it was drawn.

    count: number of resamples.
    share: size of a resample as a fraction of the validation rows; .5 in the released code (D10).
    """

    count: PositiveInt
    share: Annotated[float, Range(gt=0, le=1)] = 1.0

    def draw(self, count: int, n: int, rng: Generator) -> NDArray:
        """Weights (count, n): integers that sum to the size of a resample."""
        size = max(1, round(self.share * n))
        rows = rng.integers(n, size=(count, size)) + n * np.arange(count)[:, None]
        return np.bincount(rows.ravel(), minlength=count * n).reshape(count, n).astype(float)


@dataclass(frozen=True)
class BayesianBootstraps:
    """Weights ~ Dirichlet(1, ..., 1), the posterior in the limit of a vanishing prior (Lacoste et al. 2014, section 3).

    count: number of draws.
    """

    count: PositiveInt

    def draw(self, count: int, n: int, rng: Generator) -> NDArray:
        """Weights (count, n) that sum to 1."""
        # w_i = e_i / sum_j e_j, e_i ~ Exp(1)
        gaps = rng.standard_exponential((count, n))
        return gaps / gaps.sum(axis=1, keepdims=True)


def weights(resampling: Resampling, n: int, seeds: Seeds) -> NDArray:
    """All draws (count, n) of a repetition, the same for all its methods (D13); cached, hence read-only."""
    return _kept(resampling, n, seeds)


@lru_cache(maxsize=2)
def _kept(resampling, n, seeds):
    drawn = resampling.draw(resampling.count, n, seeds("bootstraps"))
    drawn.flags.writeable = False
    return drawn


def in_turn(resampling: Resampling, n: int, seeds: Seeds) -> Iterator[NDArray]:
    """Yield the same draws in batches (k, n), to hold no more than HELD weights in memory."""
    rng, left = seeds("bootstraps"), resampling.count
    while left:
        size = min(left, max(1, HELD // n))
        yield resampling.draw(size, n, rng)
        left -= size


def risks(weights: NDArray, losses: NDArray) -> NDArray:
    """Risks (k, t) of t models under each draw of weights (k, n), given their losses (t, n).

    r_jt = sum_i w_ji l_ti / sum_i w_ji  (Lacoste et al. 2014, eq. 6)
    """
    return weights @ losses.T / weights.sum(axis=1, keepdims=True)
