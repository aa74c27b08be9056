"""Hyperparameters: real ones, and whole numbers and categories, which share a grid of bins on the unit interval."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError

REAL_STEP = 0.05  # of a local search, in units of the cube (docs/decisions.md, D5.7)


@dataclass(frozen=True)
class Real:
    """A real hyperparameter between `low` and `high`, searched on a log10 scale when `log` (thesis, 2.6.1)."""

    low: float
    high: float
    log: bool = False

    def check(self, name):
        """Raises: UserError when the bounds are no range or a logarithm of them does not exist."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise UserError(f"{name}: low={self.low:g} must be below high={self.high:g}, both finite")
        if self.log and self.low <= 0:
            raise UserError(f"{name}: a logarithmic scale needs bounds above zero, not low={self.low:g}")

    def decode(self, u):
        """Value of the point `u` in [0, 1]."""
        if not self.log:
            return self.low + u * (self.high - self.low)
        low, high = math.log10(self.low), math.log10(self.high)
        return 10.0 ** (low + u * (high - low))

    def encode(self, value):
        """Point in [0, 1] of `value`: the inverse of decode."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        low, high = math.log10(self.low), math.log10(self.high)
        return (math.log10(value) - low) / (high - low)

    def holds(self, value):
        """Whether it can take `value`; one that decoding has rounded over a bound too."""
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return False
        return self.low <= value <= self.high or math.isclose(value, self.low) or math.isclose(value, self.high)

    def from_uniform(self, u):
        """Points (n,) whose values are drawn evenly when u (n,) is uniform on [0, 1]."""
        return u

    def round_to_grid(self, u):
        """The points (n,) that stand for the values at the points u (n,): of a real one those themselves."""
        return u

    def neighbours(self, u):
        """Points one step up and down from the point u, inside [0, 1]."""
        return [near for near in (max(u - REAL_STEP, 0.0), min(u + REAL_STEP, 1.0)) if near != u]


@dataclass(frozen=True)
class EqualBins:
    """`count` values, each with an equal share of [0, 1]: number floor(u count) at u."""

    count: int

    def number(self, u):
        """Numbers, from 0, of the points u (any shape); the last share has its upper end."""
        return np.minimum((np.asarray(u) * self.count).astype(int), self.count - 1)

    def point(self, number):
        """The middle of the share of each number (any shape)."""
        return (number + 0.5) / self.count


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


class Discrete(ABC):
    """A hyperparameter with numbered values; its bins say which of them a point of [0, 1] stands for."""

    @property
    @abstractmethod
    def bins(self):
        """EqualBins or RoundingBins."""

    @abstractmethod
    def value(self, number):
        """The value of a number, from 0."""

    @abstractmethod
    def number(self, value):
        """The number of a value. Raises: ValueError for one that it cannot take."""

    def decode(self, u):
        """Value of the point `u` in [0, 1]."""
        return self.value(int(self.bins.number(u)))

    def encode(self, value):
        """The point in [0, 1] that stands for `value`."""
        return self.bins.point(self.number(value))

    def holds(self, value):
        """Whether it can take `value`."""
        try:
            self.number(value)
        except ValueError:
            return False
        return True

    def from_uniform(self, u):
        """Points (n,) whose values are drawn equally often when u (n,) is uniform on [0, 1]."""
        return self.bins.point(EqualBins(self.bins.count).number(u))

    def round_to_grid(self, u):
        """The points (n,) that stand for the values at the points u (n,)."""
        return self.bins.point(self.bins.number(u))

    def neighbours(self, u):
        """The points of the values next to that of the point u, one down and one up."""
        number = int(self.bins.number(u))
        return [self.bins.point(near) for near in (number - 1, number + 1) if 0 <= near < self.bins.count]


@dataclass(frozen=True)
class Integer(Discrete):
    """A whole number from `low` to `high`.

    Each has an equal share of the unit interval, or with `nearest` a point of it stands for the nearest
    of equally spaced values (thesis, 5.5).
    """

    low: int
    high: int
    nearest: bool = False

    def check(self, name):
        """Raises: UserError when the bounds are no range of whole numbers."""
        if not (_whole(self.low) and _whole(self.high) and self.low < self.high):
            raise UserError(f"{name}: low={self.low} must be below high={self.high}, both whole numbers")

    @property
    def bins(self):
        return (RoundingBins if self.nearest else EqualBins)(self.high - self.low + 1)

    def value(self, number):
        return self.low + number

    def number(self, value):
        if not (_whole(value) and self.low <= value <= self.high):
            raise ValueError(value)
        return value - self.low


@dataclass(frozen=True)
class Category(Discrete):
    """One of some choices, in their order: each has an equal share of the unit interval.

    With `ordered` it is coded as the number of its place, a whole number rounded to the nearest (thesis, 5.5).
    """

    choices: list
    ordered: bool = False

    def check(self, name):
        """Raises: UserError when there is nothing to choose."""
        if not isinstance(self.choices, list) or len(self.choices) < 2 or len(set(self.choices)) < len(self.choices):
            raise UserError(f"{name}: choices={self.choices} must be a list of at least two different values")

    @property
    def bins(self):
        return (RoundingBins if self.ordered else EqualBins)(len(self.choices))

    def value(self, number):
        return self.choices[number]

    def number(self, value):
        return self.choices.index(value)

    def neighbours(self, u):
        """The points of all other choices; of an ordered one those next to it."""
        if self.ordered:
            return super().neighbours(u)
        own = int(self.bins.number(u))
        return [self.bins.point(number) for number in range(len(self.choices)) if number != own]


def _whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def parameter(name, settings):
    """The hyperparameter of a mapping with low, high and log (Real), integer: true (Integer), or choices (Category).

    Raises: UserError for any other mapping, and for bounds or choices that are none.
    """
    try:
        own = dict(settings)
        flags = ("log", "integer", "nearest", "ordered")
        if strange := [key for key in flags if not isinstance(own.get(key, False), bool)]:
            raise ValueError(f"{strange[0]} is neither true nor false")
        kind = Category if "choices" in own else Integer if own.pop("integer", False) else Real
        made = kind(**own)
        made.check(name)
    except (TypeError, ValueError) as problem:
        raise UserError(
            f"{name}: {settings} must be the numbers low and high with log or integer (true or false), or choices"
        ) from problem
    return made
