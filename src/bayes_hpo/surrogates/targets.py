"""The transform of the losses that a surrogate is given, and its inverse: a multiple of them, or standard scores."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat


class LinearTargets(ABC):
    """Targets are (losses - origin) / unit; the two may depend on the losses."""

    @abstractmethod
    def origin_and_unit(self, losses: NDArray) -> tuple[float, float]:
        """The loss that becomes 0, and the difference of losses that becomes 1, given all losses (n,)."""

    def __call__(self, losses: NDArray) -> NDArray:
        """Targets (n,) of the losses (n,)."""
        origin, unit = self.origin_and_unit(losses)
        return (losses - origin) / unit

    def inverse(self, means: NDArray, variances: NDArray, losses: NDArray) -> tuple[NDArray, NDArray]:
        """Means and variances (any shape) of targets as those of losses, given all losses (n,)."""
        origin, unit = self.origin_and_unit(losses)
        return origin + unit * means, unit**2 * variances


@dataclass(frozen=True)
class Scaled(LinearTargets):
    """The losses times a factor: priors have an absolute scale, and losses are fractions (D12)."""

    factor: PositiveFloat

    def origin_and_unit(self, losses: NDArray) -> tuple[float, float]:
        return 0.0, 1 / self.factor


class Standardized(LinearTargets):
    """The losses minus their mean, over their standard deviation (divisor n); equal losses are all 0."""

    def origin_and_unit(self, losses: NDArray) -> tuple[float, float]:
        return losses.mean(), losses.std() if np.ptp(losses) else 1.0  # of equal losses: rounding errors
