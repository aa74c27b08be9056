"""What is maximised over the cube: functions of the predicted mean and variance, and their average over samples."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from bayes_hpo.gp.regression import Posterior

CHUNK = 2000  # points


def improvement(z):
    """h(z) = z Phi(z) + phi(z), the expected improvement at unit variance (any shape); never below 0."""
    return np.maximum(z * ndtr(z) + density(z), 0)


def density(z):
    """Density phi(z) of the standard normal distribution."""
    return np.exp(-0.5 * z * z) * (1 / math.sqrt(2 * math.pi))


class Acquisition(ABC):
    """What is worth trying: a function of the predicted mean and the latent variance, arrays of one shape."""

    @abstractmethod
    def value(self, mean, variance):
        """The acquisition, of their shape."""

    @abstractmethod
    def derivatives(self, mean, variance):
        """The acquisition and its derivatives by the mean and by the variance."""


@dataclass(frozen=True)
class ExpectedImprovement(Acquisition):
    """Expected improvement on `best`, the lowest value observed (thesis, eq. 2.9 to 2.11)."""

    best: float

    def value(self, mean, variance):
        deviation = np.sqrt(variance)
        return deviation * improvement((self.best - mean) / deviation)

    def derivatives(self, mean, variance):
        deviation = np.sqrt(variance)
        z = (self.best - mean) / deviation
        return deviation * improvement(z), -ndtr(z), density(z) / (2 * deviation)


@dataclass(frozen=True)
class ProbabilityOfImprovement(Acquisition):
    """Probability that the latent function lies below `best` (Kushner 1964; thesis, 2.2)."""

    best: float

    def value(self, mean, variance):
        return ndtr((self.best - mean) / np.sqrt(variance))

    def derivatives(self, mean, variance):
        deviation = np.sqrt(variance)
        z = (self.best - mean) / deviation
        return ndtr(z), -density(z) / deviation, -z * density(z) / (2 * variance)


@dataclass(frozen=True)
class ConfidenceBound(Acquisition):
    """The lower confidence bound mean - kappa deviations, its sign turned (Srinivas et al. 2010; thesis, 2.2)."""

    kappa: float

    def value(self, mean, variance):
        return self.kappa * np.sqrt(variance) - mean

    def derivatives(self, mean, variance):
        return self.value(mean, variance), np.full_like(mean, -1), self.kappa / (2 * np.sqrt(variance))


class NegativeMean(Acquisition):
    """The predicted mean, its sign turned: its maximum is where the lowest loss is expected (thesis, 3.4; D5)."""

    def value(self, mean, variance):
        return -mean

    def derivatives(self, mean, variance):
        return -mean, np.full_like(mean, -1), np.zeros_like(variance)


@dataclass(frozen=True)
class Averaged:
    """An acquisition averaged over the samples of a posterior (thesis, eq. 2.17)."""

    acquisition: Acquisition
    posterior: Posterior

    def values(self, points):
        """Values (m,) at points (m, d), a chunk of them at a time: memory does not grow with samples x m x n."""
        chunks = [points[first : first + CHUNK] for first in range(0, len(points), CHUNK)] or [points]
        parts = [self.acquisition.value(*self.posterior.moments(chunk)).mean(axis=0) for chunk in chunks]
        return np.concatenate(parts)

    def values_and_gradients(self, points):
        """Values (m,) and their gradients (m, d) at points (m, d)."""
        mean, variance, pullback = self.posterior.moments_and_pullback(points)
        values, by_mean, by_variance = self.acquisition.derivatives(mean, variance)
        return values.mean(axis=0), pullback(by_mean, by_variance) / len(self.posterior)
