"""Acquisition functions of the predicted mean and variance, and their average over samples of hyperparameters."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, logsumexp, ndtr, softmax

from bayes_hpo.contracts import Acquisition, Differentiable, Predictive

CHUNK = 2000  # points
FAR = -1e3  # below it two terms of a series are exact to 1e-11, above it the difference to 1e-9 (double precision)


def improvement(z: NDArray) -> NDArray:
    """h(z) = z Phi(z) + phi(z), the expected improvement at unit variance (any shape); never below 0."""
    return np.maximum(z * ndtr(z) + density(z), 0)


def log_improvement(z: NDArray) -> tuple[NDArray, NDArray, NDArray]:
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


def density(z: NDArray) -> NDArray:
    """Density phi(z) of the standard normal distribution."""
    return np.exp(-0.5 * z * z) * (1 / math.sqrt(2 * math.pi))


class BaseAcquisition(ABC):
    """An acquisition that is averaged over samples by the arithmetic mean; arrays of one shape in and out."""

    @abstractmethod
    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """The acquisition and its derivatives with respect to the mean and to the variance, all of one shape."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """The acquisition alone, of their shape."""
        return self.derivatives(mean, variance)[0]

    def average(self, values: NDArray) -> NDArray:
        """The average (m,) of the values (s, m) over samples."""
        return values.mean(axis=0)

    def sample_weights(self, values: NDArray) -> NDArray:
        """The derivatives (s, m) of the average with respect to the values (s, m)."""
        return np.full_like(values, 1 / len(values))

    def for_gradients(self) -> Acquisition:
        """An increasing function of the acquisition whose gradients lead to the maximum from farther away, if any."""
        return self

    def unit(self, values: NDArray) -> float:
        """The size of a difference that counts, given the values (m,) of candidates: their range."""
        return float(np.ptp(values))


@dataclass(frozen=True)
class BaseImprovement(BaseAcquisition):
    """An acquisition of the standard score z at which `best`, the lowest value observed, lies in the prediction."""

    best: float

    def score(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray]:
        """z = (best - mean) / deviation, and the deviation, both of their shape."""
        deviation = np.sqrt(variance)
        return (self.best - mean) / deviation, deviation


class ExpectedImprovement(BaseImprovement):
    """Expected improvement on `best` (thesis, eq. 2.9 to 2.11)."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """EI = s h(z), s: the deviation (thesis, eq. 2.10; any shape)."""
        z, deviation = self.score(mean, variance)
        return deviation * improvement(z)

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        z, deviation = self.score(mean, variance)
        # dEI/dm = -Phi(z), dEI/ds^2 = phi(z) / (2 s)
        return deviation * improvement(z), -ndtr(z), density(z) / (2 * deviation)

    def for_gradients(self) -> Acquisition:
        """Its logarithm: far from the best its slope vanishes, the logarithm's does not (Ament et al. 2023)."""
        return LogExpectedImprovement(self.best)


class LogExpectedImprovement(BaseImprovement):
    """The logarithm of the expected improvement on `best`; averaged, that of the improvement's average."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """log EI = log s + log h(z) (any shape)."""
        z, deviation = self.score(mean, variance)
        return np.log(deviation) + log_improvement(z)[0]

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        z, deviation = self.score(mean, variance)
        log_h, by_mean, by_variance = log_improvement(z)
        # the derivatives of log EI are those of EI over EI
        return np.log(deviation) + log_h, -by_mean / deviation, by_variance / (2 * variance)

    def average(self, values: NDArray) -> NDArray:
        """log mean exp (m,) of the values (s, m): the logarithm of the improvement's average."""
        return logsumexp(values, axis=0) - math.log(len(values))

    def sample_weights(self, values: NDArray) -> NDArray:
        """d log mean exp / d value_i = exp(value_i) / sum of exp(value_j): (s, m) -> (s, m)."""
        return softmax(values, axis=0)

    def unit(self, values: NDArray) -> float:
        """One: a difference of logarithms is a ratio of improvements, however small they are."""
        return 1.0


class ProbabilityOfImprovement(BaseImprovement):
    """Probability that the latent function lies below `best` (Kushner 1964; thesis, 2.2)."""

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        z, deviation = self.score(mean, variance)
        # PI = Phi(z), dPI/dm = -phi(z) / s, dPI/ds^2 = -z phi(z) / (2 s^2)
        return ndtr(z), -density(z) / deviation, -z * density(z) / (2 * variance)


@dataclass(frozen=True)
class ConfidenceBound(BaseAcquisition):
    """The lower confidence bound mean - kappa deviations, its sign turned (Srinivas et al. 2010; thesis, 2.2)."""

    kappa: float

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        deviation = np.sqrt(variance)
        return self.kappa * deviation - mean, np.full_like(mean, -1), self.kappa / (2 * deviation)


class NegativeMean(BaseAcquisition):
    """The predicted mean, its sign turned: its maximum is where the lowest loss is expected (thesis, 3.4; D5)."""

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        return -mean, np.full_like(mean, -1), np.zeros_like(variance)


def improvement_on_lowest(targets: NDArray) -> ExpectedImprovement:
    """Expected improvement on the lowest of the targets (n,): the acquisition rule of every row of the documents."""
    return ExpectedImprovement(targets.min())


@dataclass(frozen=True)
class Integrated:
    """An acquisition averaged over the samples of a surrogate's hyperparameters (thesis, eq. 2.17).

    a(x) = 1/s sum over samples i of a(mean_i(x), variance_i(x)), or the `average` of the acquisition.
    """

    acquisition: Acquisition
    predictive: Predictive

    def for_gradients(self) -> "Integrated":
        """The criterion that gradients are followed on: of the same maximum."""
        return replace(self, acquisition=self.acquisition.for_gradients())

    def unit(self, values: NDArray) -> float:
        """The size of a difference that counts, given the values (m,) of candidates."""
        return self.acquisition.unit(values)

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d), a chunk of them at a time: memory does not grow with samples x m x n."""
        chunks = [points[first : first + CHUNK] for first in range(0, len(points), CHUNK)] or [points]
        values = [self.acquisition.value(*self.predictive.moments(chunk)) for chunk in chunks]  # each (s, chunk)
        return np.concatenate([self.acquisition.average(chunk) for chunk in values])

    def values_and_gradients(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Values (m,) and their gradients (m, d) at points (m, d).

        The surrogate must be `Differentiable`.
        """
        # chain rule: da/dx = sum over samples i of w_i (da_i/dmean_i dmean_i/dx + da_i/dvariance_i dvariance_i/dx)
        mean, variance, pullback = cast(Differentiable, self.predictive).moments_and_pullback(points)
        values, by_mean, by_variance = self.acquisition.derivatives(mean, variance)
        weights = self.acquisition.sample_weights(values)
        return self.acquisition.average(values), pullback(weights * by_mean, weights * by_variance)
