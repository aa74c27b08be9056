"""Kernels with one length scale per dimension (automatic relevance determination): their common part."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.surrogates.gp.kernel import Kernel, Parameter, Pullback, triangle
from bayes_hpo.surrogates.gp.priors import Prior


@dataclass(frozen=True)
class Ard(Kernel):
    """A correlation over t = sum over dimensions k of weight(length_k) apart_k, the distance of two points in k.

    length: the prior of every dimension's length, in units of the cube.
    A kernel defines `apart`, `weight` and the shape over t; `shape` and `shape_and_slope` may overwrite their argument.
    """

    length: Prior

    def parameters(self, d: int) -> list[Parameter]:
        return [Parameter(f"length_{k}", 1.0, self.length) for k in range(d)]

    def variances(self, thetas: NDArray, d: int) -> NDArray:
        return np.ones(len(thetas))

    def prepare(self, X: NDArray) -> tuple:
        differ = np.flatnonzero(np.ptp(X, axis=0) > 0)  # dimensions in which the points differ
        rows, columns = triangle(len(X))
        apart = [self.apart(x[rows] - x[columns]) for x in X.T[differ]]  # one dimension at a time stays in the cache
        return differ, np.array(apart).reshape(len(differ), len(rows))  # (v,), (v, q)

    def pairs(self, theta: NDArray, prepared: tuple) -> NDArray:
        differ, apart = prepared
        return self.shape(self.weight(theta[differ]) @ apart)

    def pairs_and_pullback(self, theta: NDArray, prepared: tuple) -> tuple[NDArray, Pullback]:
        differ, apart = prepared
        covariances, slopes = self.shape_and_slope(self.weight(theta[differ]) @ apart)

        def pullback(by_pair):
            # dK/dlength_k = K'(t) weight'(length_k) apart_k, zero where no points differ in k
            by_theta = np.zeros_like(theta)
            by_theta[differ] = self.weight_slope(theta[differ]) * (apart @ (by_pair * slopes))
            return by_theta

        return covariances, pullback

    def along(self, k: int, theta: NDArray, prepared: tuple) -> Callable[[float], NDArray] | None:
        """One length moves: the sum of t over the other dimensions is computed once, not at every value."""
        differ, apart = prepared
        if k not in differ:
            return None
        # t(length_k) = sum over the other dimensions + weight(length_k) apart_k
        apart_k = apart[np.searchsorted(differ, k)]
        others = np.where(differ == k, 0, self.weight(theta[differ])) @ apart
        return lambda value: self.shape(others + self.weight(value) * apart_k)

    @staticmethod
    @abstractmethod
    def apart(differences: NDArray) -> NDArray:
        """Distance of two points in a dimension, given their difference there (any shape)."""

    @abstractmethod
    def weight(self, length: float | NDArray) -> float | NDArray:
        """Weight of a dimension of this length (any shape)."""

    @abstractmethod
    def weight_slope(self, length: float | NDArray) -> float | NDArray:
        """Derivative of the weight by the length."""

    @staticmethod
    @abstractmethod
    def shape(t: NDArray) -> NDArray:
        """Correlation at t (any shape)."""

    @staticmethod
    @abstractmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        """Correlation and its derivative by t, each of t's shape."""
