"""What is maximised over the cube: functions of the predicted mean and variance, and their average over samples."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import erfcx, logsumexp, ndtr, softmax

from bayes_hpo.surrogates.gp.regression import Posterior

CHUNK = 2000  # points
FAR = -1e3  # below it two terms of a series are exact to 1e-11, above it the difference to 1e-9 (double precision)


def improvement(z):
    """h(z) = z Phi(z) + phi(z), the expected improvement at unit variance (any shape); never below 0."""
    return np.maximum(z * ndtr(z) + density(z), 0)


def log_improvement(z):
    """log h(z), Phi(z) / h(z) and phi(z) / h(z) (each of z's shape and precision), also where h(z) underflows.

    Below -1, with Mills' ratio m(z) = Phi(z) / phi(z) = sqrt(pi / 2) erfcx(-z / sqrt 2), h(z) / phi(z) = 1 + z m(z);
    far below, where that loses its digits, it is 1 / z^2 - 3 / z^4 + ... (Ament et al. 2023).
    """
    low, high = np.minimum(z, -1.0), np.maximum(z, -1.0)
    mills = math.sqrt(math.pi / 2) * erfcx(-low / math.sqrt(2))
    ratio = np.where(low < FAR, (1 - 3 / low**2) / low**2, 1 + low * mills)
    log_ratio, h, below = np.log(ratio) - 0.5 * math.log(2 * math.pi), improvement(high), z < -1
    return (
        np.where(below, log_ratio - 0.5 * low**2, np.log(h)),
        np.where(below, mills / ratio, ndtr(high) / h),
        np.where(below, 1 / ratio, density(high) / h),
    )


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

    def average(self, values):
        """The average (m,) of the values (s, m) over samples."""
        return values.mean(axis=0)

    def shares(self, values):
        """How much each of the values (s, m) counts in the derivative of their average (s, m)."""
        return np.full_like(values, 1 / len(values))

    def climbed(self):
        """The acquisition, or an increasing function of it, whose slopes lead a climb to the maximum."""
        return self

    def unit(self, values):
        """The size of a difference that counts, given the values (m,) of candidates: their spread."""
        return float(np.ptp(values))


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

    def climbed(self):
        """Its logarithm: far from the best its slope vanishes, the logarithm's does not (Ament et al. 2023)."""
        return LogExpectedImprovement(self.best)


@dataclass(frozen=True)
class LogExpectedImprovement(Acquisition):
    """The logarithm of the expected improvement on `best`; averaged, that of the improvement's average."""

    best: float

    def value(self, mean, variance):
        deviation = np.sqrt(variance)
        return np.log(deviation) + log_improvement((self.best - mean) / deviation)[0]

    def derivatives(self, mean, variance):
        deviation = np.sqrt(variance)
        log_h, by_mean, by_variance = log_improvement((self.best - mean) / deviation)
        return np.log(deviation) + log_h, -by_mean / deviation, by_variance / (2 * variance)

    def average(self, values):
        """log mean exp: the logarithm of the improvement's average."""
        return logsumexp(values, axis=0) - math.log(len(values))

    def shares(self, values):
        return softmax(values, axis=0)

    def unit(self, values):
        """A hundredth of it is a hundredth of the improvement, however small that is."""
        return 1.0


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

    def climbed(self):
        """What a climb goes up on: of the same maximum."""
        return replace(self, acquisition=self.acquisition.climbed())

    def unit(self, values):
        """The size of a difference that counts, given the values (m,) of candidates."""
        return self.acquisition.unit(values)

    def values(self, points):
        """Values (m,) at points (m, d), a chunk of them at a time: memory does not grow with samples x m x n."""
        chunks = [points[first : first + CHUNK] for first in range(0, len(points), CHUNK)] or [points]
        parts = [self.acquisition.value(*self.posterior.moments(chunk)) for chunk in chunks]
        return np.concatenate([self.acquisition.average(part) for part in parts])

    def values_and_gradients(self, points):
        """Values (m,) and their gradients (m, d) at points (m, d)."""
        mean, variance, pullback = self.posterior.moments_and_pullback(points)
        values, by_mean, by_variance = self.acquisition.derivatives(mean, variance)
        shares = self.acquisition.shares(values)
        return self.acquisition.average(values), pullback(shares * by_mean, shares * by_variance)
