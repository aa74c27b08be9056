"""Hyperparameters: real ones, and those with numbered values (steps, whole numbers, choices), each in a bin of [0, 1].

Each says what of its settings is wrong (`problems`), maps points of [0, 1] to values and back, and knows the
neighbours of a point.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

from bayes_hpo.spaces.bins import EqualBins, LogBins, RoundingBins

REAL_STEP = 0.05  # of a local search, in units of the cube (docs/decisions.md, D5.7)
DECIMALS = 12  # of a quantized value: .7 + 2 x .1 is .9


@dataclass(frozen=True)
class Real:
    """A real hyperparameter between `low` and `high`, searched on a log10 scale when `log` (thesis, 2.6.1)."""

    low: float
    high: float
    log: bool = False

    def problems(self):
        """What is wrong with the settings, sentences."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            yield f"low={self.low:g} must be below high={self.high:g}, both finite"
        if self.log and self.low <= 0:
            yield f"a logarithmic scale needs bounds above zero, not low={self.low:g}"

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
        if not _is_number(value):
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


class Discrete(ABC):
    """A hyperparameter with numbered values; its bins say which of them a point of [0, 1] stands for."""

    @property
    @abstractmethod
    def values(self):
        """All values in their order, a sequence."""

    @property
    @abstractmethod
    def bins(self):
        """One of the kinds of `bins`."""

    @abstractmethod
    def holds(self, value):
        """Whether it can take `value`."""

    def decode(self, u):
        """Value of the point `u` in [0, 1]."""
        return self.values[int(self.bins.number(u))]

    def encode(self, value):
        """The point in [0, 1] that stands for `value`, which it holds."""
        return self.bins.point(self.values.index(value))

    def from_uniform(self, u):
        """Points (n,) whose values are drawn equally often (on a log scale: evenly there) when u (n,) is uniform."""
        return self.bins.point(self.bins.from_uniform(u))

    def round_to_grid(self, u):
        """The points (n,) that stand for the values at the points u (n,)."""
        return self.bins.point(self.bins.number(u))

    def neighbours(self, u):
        """The points of the values next to that of the point u, one down and one up."""
        number = int(self.bins.number(u))
        return self._points(number - 1, number + 1)

    def _points(self, *numbers):
        """The points of those of the numbers that are numbers of values."""
        return [self.bins.point(number) for number in numbers if 0 <= number < self.bins.count]


@dataclass(frozen=True)
class Quantized(Discrete):
    """A real number that is a whole number of times `step` above `low`, up to `high`."""

    low: float
    high: float
    step: float

    def problems(self):
        """What is wrong with the settings, sentences."""
        yield from Real(self.low, self.high).problems()
        yield from _uneven(self)

    @cached_property
    def values(self):
        count = round((self.high - self.low) / self.step) + 1
        return [round(self.low + number * self.step, DECIMALS) for number in range(count)]

    @property
    def bins(self):
        return EqualBins(len(self.values))

    def holds(self, value):
        return _is_number(value) and value in self.values


@dataclass(frozen=True)
class Integer(Discrete):
    """A whole number from `low` to `high`, by steps of `step`.

    Each has an equal share of the unit interval, or with `nearest` a point of it stands for the nearest
    of equally spaced values (thesis, 5.5).
    """

    low: int
    high: int
    nearest: bool = False
    step: int = 1

    def problems(self):
        """What is wrong with the settings, sentences."""
        if not (_is_whole(self.low) and _is_whole(self.high) and self.low < self.high):
            yield f"low={self.low} must be below high={self.high}, both whole numbers"
        yield from _uneven(self) if _is_whole(self.step) else [f"step={self.step} must be a whole number"]

    @property
    def values(self):
        return range(self.low, self.high + 1, self.step)

    @property
    def bins(self):
        return (RoundingBins if self.nearest else EqualBins)(len(self.values))

    def holds(self, value):
        return _is_whole(value) and value in self.values


@dataclass(frozen=True)
class LogInteger(Discrete):
    """A whole number from `low`, at least 1, to `high`, searched on a log scale."""

    low: int
    high: int
    log: bool = True

    def problems(self):
        """What is wrong with the settings, sentences."""
        yield from Integer(self.low, self.high).problems()
        yield from Real(self.low, self.high, self.log).problems()

    @property
    def values(self):
        return range(self.low, self.high + 1)

    @property
    def bins(self):
        return LogBins(self.low, self.high)

    def holds(self, value):
        return _is_whole(value) and value in self.values

    def neighbours(self, u):
        """The points of the values a real one's step away, or of those next to it where that is no step."""
        number = int(self.bins.number(u))
        below, above = self.bins.number([max(u - REAL_STEP, 0.0), min(u + REAL_STEP, 1.0)])
        return self._points(min(below, number - 1), max(above, number + 1))


@dataclass(frozen=True)
class Category(Discrete):
    """One of some choices, in their order: each has an equal share of the unit interval.

    With `ordered` it is coded as the number of its place, a whole number rounded to the nearest (thesis, 5.5).
    """

    choices: list
    ordered: bool = False

    def problems(self):
        """What is wrong with the settings, sentences."""
        if not isinstance(self.choices, list) or len(self.choices) < 2 or len(set(self.choices)) < len(self.choices):
            yield f"choices={self.choices} must be a list of at least two different values"

    @property
    def values(self):
        return self.choices

    @property
    def bins(self):
        return (RoundingBins if self.ordered else EqualBins)(len(self.choices))

    def holds(self, value):
        return value in self.choices

    def neighbours(self, u):
        """The points of all other choices; of an ordered one those next to it."""
        if self.ordered:
            return super().neighbours(u)
        current = int(self.bins.number(u))
        return self._points(*(number for number in range(len(self.choices)) if number != current))


def _uneven(numbers):
    """What is wrong with the steps of an Integer or a Quantized, sentences."""
    steps = (numbers.high - numbers.low) / numbers.step if numbers.step > 0 else 0.5
    if not math.isclose(steps, round(steps), abs_tol=1e-9):
        yield f"step={numbers.step} must be above zero and lead from low={numbers.low} to high={numbers.high}"


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
