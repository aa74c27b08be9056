"""Acquisition functions of the predicted mean and variance, and their average over hyperparameter samples."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, logsumexp, ndtr, softmax

from bayes_hpo.contracts import Acquisition, Differentiable, Predictive

CHUNK = 2000  # points predicted at once
FAR = -1e3  # below it, two terms of the series are accurate to 1e-11; above it, 1 + z m(z) is accurate to 1e-9


def improvement(z: NDArray) -> NDArray:
    """h(z) = z Phi(z) + phi(z), the expected improvement at unit variance (any shape), clipped at 0."""
    return np.maximum(z * ndtr(z) + density(z), 0)


def log_improvement(z: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """log h(z), Phi(z) / h(z) and phi(z) / h(z), in the shape and precision of z, also where h(z) underflows.

    Below -1, h(z) / phi(z) = 1 + z m(z) with Mills' ratio m(z) = Phi(z) / phi(z) = sqrt(pi / 2) erfcx(-z / sqrt 2). Far
    below, where this loses its digits, it is replaced by the series 1 / z^2 - 3 / z^4 + ... (Ament et al. 2023).
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
    """Density phi(z) of the standard normal distribution (any shape)."""
    return np.exp(-0.5 * z * z) * (1 / math.sqrt(2 * math.pi))


class BaseAcquisition(ABC):
    """An acquisition averaged over samples by the arithmetic mean; inputs and outputs have the same shape."""

    @abstractmethod
    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Acquisition values and their derivatives with respect to the mean and to the variance."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """Acquisition values alone."""
        return self.derivatives(mean, variance)[0]

    def average(self, values: NDArray) -> NDArray:
        """Average (m,) of the values (s, m) over samples."""
        return values.mean(axis=0)

    def sample_weights(self, values: NDArray) -> NDArray:
        """Derivatives (s, m) of the average with respect to the values (s, m)."""
        return np.full_like(values, 1 / len(values))

    def for_gradients(self) -> Acquisition:
        """An increasing transform with gradients that are useful far from the maximum; by default, the identity."""
        return self

    def unit(self, values: NDArray) -> float:
        """Scale of a meaningful difference between values: the range of the candidates' values (m,)."""
        return float(np.ptp(values))


@dataclass(frozen=True)
class BaseImprovement(BaseAcquisition):
    """An acquisition based on z, the standard score of `best`, the lowest observed value, under the prediction."""

    best: float

    def score(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray]:
        """z = (best - mean) / s and the predicted standard deviation s."""
        deviation = np.sqrt(variance)
        return (self.best - mean) / deviation, deviation


class ExpectedImprovement(BaseImprovement):
    """Expected improvement over `best` (thesis, eq. 2.9 to 2.11)."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """EI = s h(z), s: predicted standard deviation (thesis, eq. 2.10; any shape)."""
        z, deviation = self.score(mean, variance)
        return deviation * improvement(z)

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        z, deviation = self.score(mean, variance)
        # dEI/dm = -Phi(z), dEI/ds^2 = phi(z) / (2 s)
        return deviation * improvement(z), -ndtr(z), density(z) / (2 * deviation)

    def for_gradients(self) -> Acquisition:
        """Log EI: far from the best, the gradient of EI vanishes and that of log EI does not (Ament et al. 2023)."""
        return LogExpectedImprovement(self.best)


class LogExpectedImprovement(BaseImprovement):
    """Logarithm of the expected improvement over `best`; its average is the logarithm of the mean improvement."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """log EI = log s + log h(z) (any shape)."""
        z, deviation = self.score(mean, variance)
        return np.log(deviation) + log_improvement(z)[0]

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        z, deviation = self.score(mean, variance)
        log_h, by_mean, by_variance = log_improvement(z)
        # d log EI = dEI / EI: d log EI/dm = -Phi(z) / (s h(z)), d log EI/ds^2 = phi(z) / (2 s^2 h(z))
        return np.log(deviation) + log_h, -by_mean / deviation, by_variance / (2 * variance)

    def average(self, values: NDArray) -> NDArray:
        """log mean exp (m,) of the values (s, m): logarithm of the mean improvement."""
        return logsumexp(values, axis=0) - math.log(len(values))

    def sample_weights(self, values: NDArray) -> NDArray:
        """d log mean exp / d value_i = exp(value_i) / sum_j exp(value_j): softmax (s, m) over the samples."""
        return softmax(values, axis=0)

    def unit(self, values: NDArray) -> float:
        """1: a difference of logarithms is a ratio of improvements, however small these are."""
        return 1.0


class ProbabilityOfImprovement(BaseImprovement):
    """Probability that the latent function lies below `best` (Kushner 1964; thesis, 2.2)."""

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        z, deviation = self.score(mean, variance)
        # PI = Phi(z), dPI/dm = -phi(z) / s, dPI/ds^2 = -z phi(z) / (2 s^2)
        return ndtr(z), -density(z) / deviation, -z * density(z) / (2 * variance)


@dataclass(frozen=True)
class ConfidenceBound(BaseAcquisition):
    """Negative lower confidence bound, kappa s - mean (Srinivas et al. 2010; thesis, 2.2)."""

    kappa: float

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        deviation = np.sqrt(variance)
        # -LCB = kappa s - m, d/dm = -1, d/ds^2 = kappa / (2 s)
        return self.kappa * deviation - mean, np.full_like(mean, -1), self.kappa / (2 * deviation)


class NegativeMean(BaseAcquisition):
    """Negative predicted mean; it is maximal where the expected loss is lowest (thesis, 3.4; D5)."""

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        return -mean, np.full_like(mean, -1), np.zeros_like(variance)


def improvement_on_lowest(targets: NDArray) -> ExpectedImprovement:
    """Expected improvement over the lowest of the targets (n,): the acquisition rule of all documents."""
    return ExpectedImprovement(targets.min())


@dataclass(frozen=True)
class Integrated:
    """An acquisition averaged over samples of the surrogate's hyperparameters (thesis, eq. 2.17).

    a(x) = 1/s sum_i a(mean_i(x), variance_i(x)) over samples i, or the acquisition's own `average`.
    """

    acquisition: Acquisition
    predictive: Predictive

    def for_gradients(self) -> "Integrated":
        """The criterion for gradient-based maximization, with the same maximizer."""
        return replace(self, acquisition=self.acquisition.for_gradients())

    def unit(self, values: NDArray) -> float:
        """Scale of a meaningful difference between values, given the values (m,) of candidates."""
        return self.acquisition.unit(values)

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d), computed in chunks so that memory does not grow with samples x m x n."""
        chunks = [points[first : first + CHUNK] for first in range(0, len(points), CHUNK)] or [points]
        values = [self.acquisition.value(*self.predictive.moments(chunk)) for chunk in chunks]  # each (s, chunk)
        return np.concatenate([self.acquisition.average(chunk) for chunk in values])

    def values_and_gradients(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Values (m,) and gradients (m, d) at points (m, d).

        Requires a `Differentiable` surrogate.
        """
        # da/dx = sum_i w_i (da_i/dmean_i dmean_i/dx + da_i/dvariance_i dvariance_i/dx) over samples i
        mean, variance, pullback = cast(Differentiable, self.predictive).moments_and_pullback(points)
        values, by_mean, by_variance = self.acquisition.derivatives(mean, variance)
        weights = self.acquisition.sample_weights(values)
        return self.acquisition.average(values), pullback(weights * by_mean, weights * by_variance)
