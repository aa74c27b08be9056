"""A search space: named real, integer and categorical hyperparameters, drawn and encoded in the unit cube."""

import math
from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError


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


@dataclass(frozen=True)
class Integer:
    """A whole number from `low` to `high`, each with an equal share of the unit interval (protocol 1.2)."""

    low: int
    high: int

    def check(self, name):
        """Raises: UserError when the bounds are no range of whole numbers."""
        if not (_whole(self.low) and _whole(self.high) and self.low < self.high):
            raise UserError(f"{name}: low={self.low} must be below high={self.high}, both whole numbers")

    def decode(self, u):
        """Number of the point `u` in [0, 1]: low + floor(u (high - low + 1))."""
        return self.low + _cell(u, self.high - self.low + 1)

    def encode(self, value):
        """The middle of what decodes to `value`."""
        return (value - self.low + 0.5) / (self.high - self.low + 1)


@dataclass(frozen=True)
class Category:
    """One of some choices, each with an equal share of the unit interval, in their order (protocol 1.2)."""

    choices: list

    def check(self, name):
        """Raises: UserError when there is nothing to choose."""
        if not isinstance(self.choices, list) or len(self.choices) < 2 or len(set(self.choices)) < len(self.choices):
            raise UserError(f"{name}: choices={self.choices} must be a list of at least two different values")

    def decode(self, u):
        """Choice of the point `u` in [0, 1]: the one numbered floor(u k) of k, from 0."""
        return self.choices[_cell(u, len(self.choices))]

    def encode(self, value):
        """The middle of what decodes to `value`."""
        return (self.choices.index(value) + 0.5) / len(self.choices)


def _cell(u, count):
    """Number, from 0, of the equal cell of [0, 1] in which u lies; the last one has its upper end."""
    return min(int(u * count), count - 1)


def _whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


class Space:
    """Hyperparameters in a fixed order; a configuration is a dict, name -> value.

    parameters: dict, name -> mapping with low, high and log (Real), with low, high and integer: true (Integer), with
    choices (Category), or with the value of one that is not searched. Raises: UserError for a space in which nothing
    is searched, for bounds in the wrong order and for a log scale with a bound at or below zero.
    """

    def __init__(self, parameters: dict):
        self.fixed = {name: own["value"] for name, own in parameters.items() if _is_fixed(own)}
        self.parameters = {name: _parameter(name, own) for name, own in parameters.items() if not _is_fixed(own)}
        if not self.parameters:
            raise UserError("the search space has no free hyperparameter; give one a range under space.parameters")

    def __len__(self):
        """Number of dimensions d of the unit cube: the hyperparameters that are searched."""
        return len(self.parameters)

    def sample(self, rng):
        """Draw one configuration, uniform in the unit cube."""
        return self.decode(rng.random(len(self)))

    def decode(self, u):
        """Configuration (dict) of one point u (d,) of the unit cube."""
        searched = {name: p.decode(float(x)) for (name, p), x in zip(self.parameters.items(), u, strict=True)}
        return searched | self.fixed

    def encode(self, configurations):
        """Points (n, d) of the unit cube of n configurations."""
        rows = [[p.encode(c[name]) for name, p in self.parameters.items()] for c in configurations]
        return np.array(rows, dtype=float).reshape(len(rows), len(self))


def _is_fixed(settings):
    return isinstance(settings, dict) and set(settings) == {"value"}


def _parameter(name, settings):
    try:
        own = dict(settings)
        if strange := [key for key in ("log", "integer") if not isinstance(own.get(key, False), bool)]:
            raise ValueError(f"{strange[0]} is neither true nor false")
        kind = Category if "choices" in own else Integer if own.pop("integer", False) else Real
        parameter = kind(**own)
        parameter.check(name)
    except (TypeError, ValueError) as problem:
        raise UserError(
            f"{name}: {settings} must be the numbers low and high with log or integer (true or false), or choices"
        ) from problem
    return parameter
