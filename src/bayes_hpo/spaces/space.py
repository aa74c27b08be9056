"""A search space: named hyperparameters, drawn and encoded in the unit cube."""

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


class Space:
    """Hyperparameters in a fixed order; a configuration is a dict, name -> value.

    parameters: dict, name -> mapping with low, high and log. Raises: UserError for a space without parameters, for
    bounds in the wrong order and for a log scale with a bound at or below zero.
    """

    def __init__(self, parameters):
        if not parameters:
            raise UserError("the search space has no hyperparameter; name at least one under space.parameters")
        self.parameters = {name: _real(name, bounds) for name, bounds in parameters.items()}

    def __len__(self):
        """Number of dimensions d of the unit cube."""
        return len(self.parameters)

    def sample(self, rng):
        """Draw one configuration, uniform in the unit cube."""
        return self.decode(rng.random(len(self)))

    def decode(self, u):
        """Configuration (dict) of one point u (d,) of the unit cube."""
        return {name: p.decode(float(x)) for (name, p), x in zip(self.parameters.items(), u, strict=True)}

    def encode(self, configurations):
        """Points (n, d) of the unit cube of n configurations."""
        rows = [[p.encode(c[name]) for name, p in self.parameters.items()] for c in configurations]
        return np.array(rows, dtype=float).reshape(len(rows), len(self))


def _real(name, bounds):
    try:
        real = Real(**bounds)
        real.check(name)
    except TypeError as problem:
        raise UserError(f"{name}: {bounds} must be the numbers low and high, and log (true or false)") from problem
    return real
