"""Output transforms, from losses to the targets of a surrogate, and their inverses: scaling and standardization."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat


class LinearTargets(ABC):
    """Targets (losses - origin) / unit; origin and unit may depend on the losses."""

    @abstractmethod
    def origin_and_unit(self, losses: NDArray) -> tuple[float, float]:
        """The loss that maps to 0 and the difference in loss that maps to 1, given all losses (n,)."""

    def __call__(self, losses: NDArray) -> NDArray:
        """Transform losses (n,) to targets (n,)."""
        origin, unit = self.origin_and_unit(losses)
        return (losses - origin) / unit

    def inverse(self, means: NDArray, variances: NDArray, losses: NDArray) -> tuple[NDArray, NDArray]:
        """Map means and variances (any shape) of targets back to those of losses, given all losses (n,)."""
        origin, unit = self.origin_and_unit(losses)
        return origin + unit * means, unit**2 * variances


@dataclass(frozen=True)
class Scaled(LinearTargets):
    """Losses times a factor: the priors have an absolute scale, while losses are fractions (D12)."""

    factor: PositiveFloat

    def origin_and_unit(self, losses: NDArray) -> tuple[float, float]:
        return 0.0, 1 / self.factor


class Standardized(LinearTargets):
    """Losses minus their mean, divided by their standard deviation (divisor n); constant losses become 0."""

    def origin_and_unit(self, losses: NDArray) -> tuple[float, float]:
        return losses.mean(), losses.std() if np.ptp(losses) else 1.0  # else only rounding error
