"""Resampled validation parts: how often, or with which weight, each row stands in each of them.

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

HELD = 2**23  # weights in memory at once: 64 MiB


@runtime_checkable
class Resampling(Protocol):
    """Draws of weights of the validation rows."""

    @property
    def count(self) -> int:
        """How many draws there are."""
        ...

    def draw(self, count: int, n: int, rng: Generator) -> NDArray:
        """Weights (count, n) of the next draws. However they are divided into calls, the draws are the same."""
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class Bootstraps:
    """Resamples with replacement; the weight of a row is how often it was drawn.

    count: how many resamples.
    share: rows of a resample per validation row; the released code has .5 (D10).
    """

    count: PositiveInt
    share: Annotated[float, Range(gt=0, le=1)] = 1.0

    def draw(self, count: int, n: int, rng: Generator) -> NDArray:
        """Weights (count, n): whole numbers, whose sum is the size of a resample."""
        size = max(1, round(self.share * n))
        rows = rng.integers(n, size=(count, size)) + n * np.arange(count)[:, None]
        return np.bincount(rows.ravel(), minlength=count * n).reshape(count, n).astype(float)


@dataclass(frozen=True)
class BayesianBootstraps:
    """Weights ~ Dirichlet(1, ..., 1): a posterior without a prior of its own (Lacoste et al. 2014, section 3).

    count: how many draws.
    """

    count: PositiveInt

    def draw(self, count: int, n: int, rng: Generator) -> NDArray:
        """Weights (count, n), which sum to 1."""
        gaps = rng.standard_exponential((count, n))
        return gaps / gaps.sum(axis=1, keepdims=True)


def weights(resampling: Resampling, n: int, seeds: Seeds) -> NDArray:
    """All draws (count, n) of a repetition, the same for all its methods (D13); kept, so not to be written to."""
    return _kept(resampling, n, seeds)


@lru_cache(maxsize=2)
def _kept(resampling, n, seeds):
    drawn = resampling.draw(resampling.count, n, seeds("bootstraps"))
    drawn.flags.writeable = False
    return drawn


def in_turn(resampling: Resampling, n: int, seeds: Seeds) -> Iterator[NDArray]:
    """The same draws, some (k, n) after others, so that no more than HELD weights are in memory."""
    rng, left = seeds("bootstraps"), resampling.count
    while left:
        size = min(left, max(1, HELD // n))
        yield resampling.draw(size, n, rng)
        left -= size


def risks(weights: NDArray, losses: NDArray) -> NDArray:
    """Risk (k, t) of t models under each draw of weights (k, n), given their losses (t, n).

    r_jt = sum_i w_ji l_ti / sum_i w_ji  (Lacoste et al. 2014, eq. 6)
    """
    return weights @ losses.T / weights.sum(axis=1, keepdims=True)
