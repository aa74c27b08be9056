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
class Horseshoe:
    """Density log(1 + (scale / x)^2) on x > 0: most of it near zero, with a heavy tail (Spearmint's for the noise)."""

    scale: float
    low = 0.0
    high = math.inf

    def __post_init__(self):
        if not self.scale > 0:
            raise UserError(f"a horseshoe prior needs scale above 0, not {self.scale:g}")

    def log_density(self, x):
        """log(log(1 + (scale / x)^2)) on the support, -inf off it; x between 1e-150 and 1e150 times the scale."""
        return math.log(math.log1p((self.scale / x) ** 2)) if x > 0 else -math.inf
