"""Bins: how the numbered values of a hyperparameter divide the unit interval, and the point that represents each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class EqualBins:
    """`count` values, each with an equal share of [0, 1]: u has the value number floor(u count)."""

    count: int

    def number(self, u: ArrayLike) -> NDArray:
        """Value numbers, from 0, at points u (any shape); the last bin includes its upper end."""
        return np.minimum((np.asarray(u) * self.count).astype(int), self.count - 1)

    def point(self, number: Any) -> Any:
        """Midpoints of the bins of the given numbers (any shape)."""
        return (number + 0.5) / self.count

    from_uniform = number  # numbers drawn by u uniform on [0, 1]: equally likely


class RoundingBins(EqualBins):
    """`count` values equally spaced on [0, 1], bounds included; u is rounded to the nearest (thesis, 5.5).

    Draws (`from_uniform`) are equally likely, although the outer bins are half as wide.
    """

    def number(self, u: ArrayLike) -> NDArray:
        """Value numbers, from 0, at points u (any shape); halves are rounded up."""
        return np.floor(np.asarray(u) * (self.count - 1) + 0.5).astype(int)

    def point(self, number: Any) -> Any:
        """Points of the given numbers (any shape)."""
        return number / (self.count - 1)


@dataclass(frozen=True)
class LogBins:
    """The integers from `low`, at least 1, to `high`; the bin of i reaches from i - 1/2 to i + 1/2 on a log scale."""

    low: int
    high: int

    @property
    def count(self) -> int:
        """Number of values."""
        return self.high - self.low + 1

    def number(self, u: ArrayLike) -> NDArray:
        """Value numbers, from 0, at points u (any shape)."""
        # (low - 1/2)^(1 - u) (high + 1/2)^u, rounded to the nearest integer
        start, end = self._ends
        value = np.floor(np.exp(start + np.asarray(u) * (end - start)) + 0.5)
        return np.clip(value - self.low, 0, self.count - 1).astype(int)

    def point(self, number: Any) -> Any:
        """Points of the given numbers (any shape)."""
        start, end = self._ends
        return (np.log(self.low + number) - start) / (end - start)

    from_uniform = number  # numbers drawn with probabilities proportional to bin widths: uniform in the exponent

    @property
    def _ends(self):
        return np.log(self.low - 0.5), np.log(self.high + 0.5)
