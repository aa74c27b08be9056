"""Bins: how numbered values divide the unit interval, and the point that represents each value in its bin."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class EqualBins:
    """`count` values, each with an equal share of [0, 1]: number floor(u count) at u."""

    count: int

    def number(self, u: ArrayLike) -> NDArray:
        """Numbers, from 0, of the points u (any shape); the last bin includes its upper end."""
        return np.minimum((np.asarray(u) * self.count).astype(int), self.count - 1)

    def point(self, number: Any) -> Any:
        """The middle of the bin of each number (any shape)."""
        return (number + 0.5) / self.count

    from_uniform = number  # numbers of a draw, given u uniform on [0, 1]: equally likely


class RoundingBins(EqualBins):
    """`count` values, equally spaced on [0, 1], bounds included: the nearest one at u (thesis, 5.5).

    Those of a draw (`from_uniform`) are equally likely, although the outer bins are half as wide.
    """

    def number(self, u: ArrayLike) -> NDArray:
        """Numbers, from 0, of the points u (any shape); halves go up."""
        return np.floor(np.asarray(u) * (self.count - 1) + 0.5).astype(int)

    def point(self, number: Any) -> Any:
        """The point of each number (any shape)."""
        return number / (self.count - 1)


@dataclass(frozen=True)
class LogBins:
    """The integers from `low`, at least 1, to `high`, each as wide as from i - 1/2 to i + 1/2 on a log scale."""

    low: int
    high: int

    @property
    def count(self) -> int:
        """Number of values."""
        return self.high - self.low + 1

    def number(self, u: ArrayLike) -> NDArray:
        """Numbers, from 0, of the points u (any shape)."""
        # (low - 1/2)^(1 - u) (high + 1/2)^u, rounded to the nearest whole number
        start, end = self._ends
        value = np.floor(np.exp(start + np.asarray(u) * (end - start)) + 0.5)
        return np.clip(value - self.low, 0, self.count - 1).astype(int)

    def point(self, number: Any) -> Any:
        """The point of each number (any shape)."""
        start, end = self._ends
        return (np.log(self.low + number) - start) / (end - start)

    from_uniform = number  # numbers of a draw, as likely as their bins are wide: uniform in the exponent

    @property
    def _ends(self):
        return np.log(self.low - 0.5), np.log(self.high + 0.5)
