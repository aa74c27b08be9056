"""How numbered values share the unit interval: each a bin, and in the bin the point that stands for the value."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class EqualBins:
    """`count` values, each with an equal share of [0, 1]: number floor(u count) at u."""

    count: int

    def number(self, u):
        """Numbers, from 0, of the points u (any shape); the last bin has its upper end."""
        return np.minimum((np.asarray(u) * self.count).astype(int), self.count - 1)

    def point(self, number):
        """The middle of the bin of each number (any shape)."""
        return (number + 0.5) / self.count

    def from_uniform(self, u):
        """Numbers as a draw takes them when u (any shape) is uniform on [0, 1]."""
        return self.number(u)


@dataclass(frozen=True)
class RoundingBins:
    """`count` values, equally spaced on [0, 1] with an end at either bound: the nearest one at u (thesis, 5.5)."""

    count: int

    def number(self, u):
        """Numbers, from 0, of the points u (any shape); halves go up."""
        return np.floor(np.asarray(u) * (self.count - 1) + 0.5).astype(int)

    def point(self, number):
        """The point of each number (any shape)."""
        return number / (self.count - 1)

    def from_uniform(self, u):
        """Numbers, all equally often although the bins at the ends are half as wide."""
        return EqualBins(self.count).number(u)


@dataclass(frozen=True)
class LogBins:
    """The whole numbers from `low` to `high`, at least 1, as wide as on a log scale from low - 1/2 to high + 1/2."""

    low: int
    high: int

    @property
    def count(self):
        return self.high - self.low + 1

    def number(self, u):
        """Numbers, from 0, of the points u (any shape)."""
        # (low - 1/2)^(1 - u) (high + 1/2)^u, rounded to the nearest whole number
        start, end = self._ends
        value = np.floor(np.exp(start + np.asarray(u) * (end - start)) + 0.5)
        return np.clip(value - self.low, 0, self.count - 1).astype(int)

    def point(self, number):
        """The point of each number (any shape)."""
        start, end = self._ends
        return (np.log(self.low + number) - start) / (end - start)

    def from_uniform(self, u):
        """Numbers as often as their bins are wide, so that the exponent is uniform."""
        return self.number(u)

    @property
    def _ends(self):
        return np.log(self.low - 0.5), np.log(self.high + 0.5)
