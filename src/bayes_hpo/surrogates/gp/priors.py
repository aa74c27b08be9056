"""Unnormalized prior densities of a Gaussian process's hyperparameters, and their supports."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Protocol, runtime_checkable

from numpy.random import Generator

from bayes_hpo.configuration.limits import NonNegativeFloat, PositiveFloat, Range
from bayes_hpo.errors import UserError

WIDTH = 4.0  # width of a bracket in log x: a factor of 55


class Coordinate(NamedTuple):
    """The coordinate z in which a chain moves a hyperparameter x.

    of, value: x -> z and z -> x.
    log_slope: z -> log dx/dz, by which the log density of z exceeds that of x.
    bracket: (z, low, high, rng) -> initial bracket of a slice-sampling move from z; low, high: the support of x.
    """

    of: Callable[[float], float]
    value: Callable[[float], float]
    log_slope: Callable[[float], float]
    bracket: Callable[[float, float, float, Generator], tuple[float, float]]


def log_bracket(z: float, low: float, high: float, rng: Generator) -> tuple[float, float]:
    """Bracket of width WIDTH at a random position around z = log x (Neal 2003, figure 3, m = 1), cut to the support."""
    # z is uniformly distributed within the bracket, so that the move is reversible
    lower = z - WIDTH * rng.random()
    return max(lower, math.log(low) if low > 0 else -math.inf), min(lower + WIDTH, math.log(high))


# z = x, dx/dz = 1, with the whole support as bracket, which must be bounded; z = log x, dx/dz = exp(z)
LINEAR = Coordinate(float, float, lambda z: 0.0, lambda z, low, high, rng: (low, high))
LOGARITHM = Coordinate(math.log, math.exp, float, log_bracket)


@runtime_checkable
class Prior(Protocol):
    """Unnormalized density on ]low, high]; chains move in `coordinate`."""

    coordinate: Coordinate

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    def log_density(self, x: float) -> float:
        """Log density at x, up to a constant; -inf outside the support."""
        ...


@dataclass(frozen=True)
class Uniform:
    """Uniform density on ]low, high]. Raises: UserError unless low < high."""

    low: NonNegativeFloat
    high: Annotated[float, Range(lt=math.inf)]
    coordinate = LINEAR

    def __post_init__(self):
        _check_support(self)

    def log_density(self, x: float) -> float:
        """0 on the support, -inf outside."""
        return 0.0 if self.low < x <= self.high else -math.inf


@dataclass(frozen=True)
class SquaredLog:
    """Density exp(-(log x)^2 / 2) on x > 0: a log-normal without its 1/x, as in the author's Spearmint copies (D4)."""

    low = 0.0
    high = math.inf
    coordinate = LOGARITHM

    def log_density(self, x: float) -> float:
        """-(log x)^2 / 2 on the support, -inf outside."""
        return -0.5 * math.log(x) ** 2 if x > 0 else -math.inf


@dataclass(frozen=True)
class LogNormal:
    """Density of exp(z), z ~ N(mean, deviation^2), truncated to ]low, high] (thesis, 5.5).

    Raises: UserError unless low < high.
    """

    mean: float
    deviation: PositiveFloat
    low: NonNegativeFloat = 0.0
    high: float = math.inf
    coordinate = LOGARITHM

    def __post_init__(self):
        _check_support(self)

    def log_density(self, x: float) -> float:
        """-z^2 / 2 - log x with z = (log x - mean) / deviation on the support, -inf outside."""
        if not self.low < x <= self.high:
            return -math.inf
        log_x = math.log(x)
        return -0.5 * ((log_x - self.mean) / self.deviation) ** 2 - log_x


@dataclass(frozen=True)
class OfRoot:
    """Prior of a variance x, given the `prior` of its square root (change of variables)."""

    prior: Prior
    coordinate = LOGARITHM

    @property
    def low(self) -> float:
        return self.prior.low**2

    @property
    def high(self) -> float:
        return self.prior.high**2

    def log_density(self, x: float) -> float:
        """log p(sqrt x) - log(2 sqrt x) on the support, -inf outside."""
        if x <= 0:
            return -math.inf
        root = math.sqrt(x)
        return self.prior.log_density(root) - math.log(2 * root)


@dataclass(frozen=True)
class Horseshoe:
    """Density log(1 + (scale / x)^2) on x > 0: concentrated near zero, heavy-tailed (Spearmint's noise prior)."""

    scale: PositiveFloat
    low = 0.0
    high = math.inf
    coordinate = LOGARITHM

    def log_density(self, x: float) -> float:
        """log(log(1 + (scale / x)^2)) on the support; -inf outside, and beyond the range of doubles."""
        if not 1e-150 < x / self.scale < 1e150:
            return -math.inf
        return math.log(math.log1p((self.scale / x) ** 2))


def _check_support(prior):
    if not prior.low < prior.high:
        raise UserError(f"a prior needs low < high, not low={prior.low:g} and high={prior.high:g}")
