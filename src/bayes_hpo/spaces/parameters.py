"""Hyperparameters: real ones, and those with numbered values (steps, integers, choices), each with a bin of [0, 1].

Each class checks its settings (`problems`), maps points of [0, 1] to values and back, and lists a point's neighbours.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from numpy.typing import NDArray

from bayes_hpo.spaces.bins import EqualBins, LogBins, RoundingBins

REAL_STEP = 0.05  # step of real values in a local search, in units of the cube (docs/decisions.md, D5.7)
DECIMALS = 12  # of a quantized value, so that .7 + 2 x .1 is .9

Bins = EqualBins | RoundingBins | LogBins


@dataclass(frozen=True)
class Real:
    """A real hyperparameter between `low` and `high`, searched on a log10 scale if `log` (thesis, 2.6.1)."""

    low: float
    high: float
    log: bool = False

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem with the settings."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            yield f"low={self.low:g} must be below high={self.high:g}, both finite"
        if self.log and self.low <= 0:
            yield f"a logarithmic scale needs bounds above zero, not low={self.low:g}"

    def decode(self, u: float) -> Any:
        """Value at the point `u` of [0, 1]."""
        low, high = self._ends
        return 10.0 ** (low + u * (high - low)) if self.log else low + u * (high - low)

    def encode(self, value: Any) -> float:
        """Point of [0, 1] at `value`, the inverse of `decode`."""
        low, high = self._ends
        return ((math.log10(value) if self.log else value) - low) / (high - low)

    @property
    def _ends(self):
        """Bounds on the scale of the search."""
        return (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)

    def holds(self, value: Any) -> bool:
        """Whether `value` is allowed, including values that decoding has rounded past a bound."""
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return False
        return self.low <= value <= self.high or math.isclose(value, self.low) or math.isclose(value, self.high)

    def from_uniform(self, u: NDArray) -> NDArray:
        """Points (n,) of values drawn uniformly on the scale of the search, given u (n,) uniform on [0, 1]."""
        return u

    def round_to_grid(self, u: NDArray) -> NDArray:
        """Points (n,) that represent the values at u (n,): u itself."""
        return u

    def neighbours(self, u: float) -> list:
        """Points one step below and above u, clipped to [0, 1]."""
        return [near for near in (max(u - REAL_STEP, 0.0), min(u + REAL_STEP, 1.0)) if near != u]


class Discrete(ABC):
    """A hyperparameter with numbered values, which its bins assign to the points of [0, 1].

    kinds: types of its values, integers unless a subclass specifies others.
    """

    kinds: ClassVar[tuple] = (int,)

    @property
    @abstractmethod
    def values(self) -> Sequence:
        """All values, in order."""

    @property
    @abstractmethod
    def bins(self) -> Bins:
        """How the values divide the unit interval."""

    def holds(self, value: Any) -> bool:
        """Whether `value` is allowed."""
        return isinstance(value, self.kinds) and not isinstance(value, bool) and value in self.values

    def decode(self, u: float) -> Any:
        """Value at the point `u` of [0, 1]."""
        return self.values[int(self.bins.number(u))]

    def encode(self, value: Any) -> float:
        """Point of [0, 1] that represents an allowed value."""
        return self.bins.point(self.values.index(value))

    def from_uniform(self, u: NDArray) -> NDArray:
        """Points (n,) of equally likely values (on a log scale: uniform on it), given u (n,) uniform on [0, 1]."""
        return self.bins.point(self.bins.from_uniform(u))

    def round_to_grid(self, u: NDArray) -> NDArray:
        """Points (n,) that represent the values at u (n,)."""
        return self.bins.point(self.bins.number(u))

    def neighbours(self, u: float) -> list:
        """Points of the values below and above that of u."""
        number = int(self.bins.number(u))
        return self._points(number - 1, number + 1)

    def _points(self, *numbers):
        """Points of those numbers that are in range."""
        return [self.bins.point(number) for number in numbers if 0 <= number < self.bins.count]


@dataclass(frozen=True)
class Quantized(Discrete):
    """A real number on the grid low, low + step, ..., high."""

    low: float
    high: float
    step: float

    kinds = (int, float)

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem with the settings."""
        yield from Real(self.low, self.high).problems()
        yield from _uneven(self)

    @cached_property
    def values(self) -> Sequence:
        count = round((self.high - self.low) / self.step) + 1
        return [round(self.low + number * self.step, DECIMALS) for number in range(count)]

    @property
    def bins(self) -> Bins:
        return EqualBins(len(self.values))


@dataclass(frozen=True)
class Integer(Discrete):
    """An integer from `low` to `high`, in steps of `step`.

    Each value has an equal share of the unit interval. With `nearest`, values are equally spaced on it, bounds
    included, and a point is rounded to the nearest (thesis, 5.5).
    """

    low: int
    high: int
    nearest: bool = False
    step: int = 1

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem with the settings."""
        if not (_is_whole(self.low) and _is_whole(self.high) and self.low < self.high):
            yield f"low={self.low} must be below high={self.high}, both whole numbers"
        yield from _uneven(self) if _is_whole(self.step) else [f"step={self.step} must be a whole number"]

    @property
    def values(self) -> Sequence:
        return range(self.low, self.high + 1, self.step)

    @property
    def bins(self) -> Bins:
        return (RoundingBins if self.nearest else EqualBins)(len(self.values))


@dataclass(frozen=True)
class LogInteger(Discrete):
    """An integer from `low`, at least 1, to `high`, searched on a log scale."""

    low: int
    high: int
    log: bool = True

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem with the settings."""
        yield from Integer(self.low, self.high).problems()
        yield from Real(self.low, self.high, self.log).problems()

    @property
    def values(self) -> Sequence:
        return range(self.low, self.high + 1)

    @property
    def bins(self) -> Bins:
        return LogBins(self.low, self.high)

    def neighbours(self, u: float) -> list:
        """Points of the values REAL_STEP below and above u, or of the adjacent values where that is the same value."""
        number = int(self.bins.number(u))
        below, above = self.bins.number([max(u - REAL_STEP, 0.0), min(u + REAL_STEP, 1.0)])
        return self._points(min(below, number - 1), max(above, number + 1))


@dataclass(frozen=True)
class Category(Discrete):
    """One of several choices, each with an equal share of the unit interval.

    With `ordered`, choices are encoded by index as equally spaced values, and a point is rounded to the nearest
    (thesis, 5.5).
    """

    choices: list
    ordered: bool = False

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each problem with the settings."""
        if not isinstance(self.choices, list) or len(self.choices) < 2 or len(set(self.choices)) < len(self.choices):
            yield f"choices={self.choices} must be a list of at least two different values"

    @property
    def values(self) -> Sequence:
        return self.choices

    @property
    def bins(self) -> Bins:
        return (RoundingBins if self.ordered else EqualBins)(len(self.choices))

    def holds(self, value: Any) -> bool:
        return value in self.choices

    def neighbours(self, u: float) -> list:
        """Points of all other choices or, with `ordered`, of the adjacent ones."""
        if self.ordered:
            return super().neighbours(u)
        current = int(self.bins.number(u))
        return self._points(*(number for number in range(len(self.choices)) if number != current))


def _uneven(numbers):
    """Yield a sentence if the steps of an Integer or a Quantized do not lead from low to high."""
    steps = (numbers.high - numbers.low) / numbers.step if numbers.step > 0 else 0.5
    if not math.isclose(steps, round(steps), abs_tol=1e-9):
        yield f"step={numbers.step} must be above zero and lead from low={numbers.low} to high={numbers.high}"


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)
