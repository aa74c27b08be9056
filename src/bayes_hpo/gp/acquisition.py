"""What is maximised over the cube: expected improvement or the negative mean, averaged over hyperparameter samples."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr


def improvement(z):
    """h(z) = z Phi(z) + phi(z), the expected improvement at unit variance (any shape); never below 0."""
    return np.maximum(z * ndtr(z) + density(z), 0)


def density(z):
    """Density phi(z) of the standard normal distribution."""
    return np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


@dataclass(frozen=True)
class ExpectedImprovement:
    """Expected improvement on `best`, averaged over hyperparameter samples (thesis, eq. 2.10, 2.11 and 2.17).

    posteriors: one per sample. best: the lowest value observed (eq. 2.9). The variance is the latent one.
    """

    posteriors: list
    best: float

    def values(self, points):
        """Expected improvements (m,) at points (m, d)."""
        total = 0
        for posterior in self.posteriors:
            mean, variance = posterior.moments(points)
            deviation = np.sqrt(variance)
            total = total + deviation * improvement((self.best - mean) / deviation)
        return total / len(self.posteriors)

    def values_and_gradients(self, points):
        """Expected improvements (m,) and their gradients (m, d) at points (m, d)."""
        total, total_gradient = 0, 0
        for posterior in self.posteriors:
            mean, variance, mean_gradient, variance_gradient = posterior.moments_and_gradients(points)
            deviation = np.sqrt(variance)
            z = (self.best - mean) / deviation
            by_variance = density(z) / (2 * deviation)
            total = total + deviation * improvement(z)
            total_gradient = (
                total_gradient - ndtr(z)[:, None] * mean_gradient + by_variance[:, None] * variance_gradient
            )
        return total / len(self.posteriors), total_gradient / len(self.posteriors)


@dataclass(frozen=True)
class NegativeMean:
    """The posterior mean with its sign turned, averaged over hyperparameter samples: its maximum is the predicted best.

    posteriors: one per sample. Source: thesis, 3.4; D5.
    """

    posteriors: list

    def values(self, points):
        """Negative means (m,) at points (m, d)."""
        return -np.mean([posterior.means(points) for posterior in self.posteriors], axis=0)

    def values_and_gradients(self, points):
        """Negative means (m,) and their gradients (m, d) at points (m, d)."""
        means, _, gradients, _ = zip(*(p.moments_and_gradients(points) for p in self.posteriors), strict=True)
        return -np.mean(means, axis=0), -np.mean(gradients, axis=0)
