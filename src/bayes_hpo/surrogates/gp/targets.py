"""What a Gaussian process is told of the losses, and back: a multiple of them, or their standard scores."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError


class Targets(ABC):
    """Targets are (losses - origin) / unit; the two may depend on the losses."""

    @abstractmethod
    def origin_and_unit(self, losses):
        """The loss that becomes 0, and the difference of losses that becomes 1, given all losses (n,)."""

    def __call__(self, losses):
        """Targets (n,) of the losses (n,)."""
        origin, unit = self.origin_and_unit(losses)
        return (losses - origin) / unit

    def back(self, means, variances, losses):
        """Means and variances (any shape) of targets as those of losses, given all losses (n,) that were told."""
        origin, unit = self.origin_and_unit(losses)
        return origin + unit * means, unit**2 * variances


@dataclass(frozen=True)
class Times(Targets):
    """The losses times a factor: priors have an absolute scale, and losses are fractions (D12)."""

    factor: float

    def __post_init__(self):
        if not self.factor > 0:
            raise UserError(f"factor={self.factor:g} must be above 0")

    def origin_and_unit(self, losses):
        return 0.0, 1 / self.factor


class Standardised(Targets):
    """The losses minus their mean, over their standard deviation (divisor n); equal losses are all 0."""

    def origin_and_unit(self, losses):
        return losses.mean(), losses.std() if np.ptp(losses) else 1.0  # the deviation of equal losses is mere rounding
