"""Prior densities of the Gaussian process' hyperparameters, up to a constant, and their support."""

import math
from dataclasses import dataclass

from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Uniform:
    """The same density on ]low, high], none elsewhere. Raises: UserError unless 0 <= low < high."""

    low: float
    high: float

    def __post_init__(self):
        if not 0 <= self.low < self.high:
            raise UserError(f"a uniform prior needs 0 <= low < high, not low={self.low:g} and high={self.high:g}")

    def log_density(self, x):
        """0 on the support, -inf off it."""
        return 0.0 if self.low < x <= self.high else -math.inf


@dataclass(frozen=True)
class SquaredLog:
    """Density exp(-(log x)^2 / 2) on x > 0: a log-normal one without its factor 1/x, as Spearmint has it (D4)."""

    low = 0.0
    high = math.inf

    def log_density(self, x):
        """-(log x)^2 / 2 on the support, -inf off it."""
        return -0.5 * math.log(x) ** 2 if x > 0 else -math.inf


@dataclass(frozen=True)
class LogNormal:
    """Density of exp(z) with z ~ N(mean, deviation^2), cut to ]low, high] (thesis, 5.5).

    Raises: UserError unless 0 <= low < high and deviation > 0.
    """

    mean: float
    deviation: float
    low: float = 0.0
    high: float = math.inf

    def __post_init__(self):
        if not (0 <= self.low < self.high and self.deviation > 0):
            raise UserError(
                "a log-normal prior needs deviation above 0 and 0 <= low < high, "
                f"not deviation={self.deviation:g}, low={self.low:g} and high={self.high:g}"
            )

    def log_density(self, x):
        """-z^2 / 2 - log x with z = (log x - mean) / deviation on the support, -inf off it."""
        if not self.low < x <= self.high:
            return -math.inf
        log_x = math.log(x)
        return -0.5 * ((log_x - self.mean) / self.deviation) ** 2 - log_x


@dataclass(frozen=True)
class OfRoot:
    """The prior of a variance whose square root has this `prior`: its density times the root's slope."""

    prior: object

    @property
    def low(self):
        return self.prior.low**2

    @property
    def high(self):
        return self.prior.high**2

    def log_density(self, x):
        """log p(sqrt x) - log(2 sqrt x) on the support, -inf off it."""
        if x <= 0:
            return -math.inf
        root = math.sqrt(x)
        return self.prior.log_density(root) - math.log(2 * root)


@dataclass(frozen=True)
class Horseshoe:
    """Density log(1 + (scale / x)^2) on x > 0: most of it near zero, with a heavy tail (Spearmint's for the noise)."""

    scale: float
    low = 0.0
    high = math.inf

    def __post_init__(self):
        if not self.scale > 0:
            raise UserError(f"a horseshoe prior needs scale above 0, not {self.scale:g}")

    def log_density(self, x):
        """log(log(1 + (scale / x)^2)) on the support, -inf off it and where doubles do not reach."""
        if not 1e-150 < x / self.scale < 1e150:
            return -math.inf
        return math.log(math.log1p((self.scale / x) ** 2))
