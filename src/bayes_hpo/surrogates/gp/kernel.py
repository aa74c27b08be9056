"""Covariance functions on the unit cube, and their common interface.

A kernel is the covariance of two values of the latent function in units of its amplitude. Its hyperparameters theta
(p,) are arguments, not attributes, so that one kernel serves every sample of them. A pullback (reverse-mode
differentiation) maps the derivatives of a scalar with respect to the covariances to its derivatives with respect to
their inputs, so sums and products of kernels need no array larger than one covariance per pair of points.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import add, mul
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.surrogates.gp.priors import Prior

Pullback = Callable[[NDArray], NDArray]  # derivatives with respect to outputs -> with respect to inputs


@lru_cache(maxsize=4)
def triangle(n: int) -> tuple[NDArray, NDArray]:
    """Row (q,) and column (q,) indices of the pairs of n points: the upper triangle with the diagonal, row by row.

    In LAPACK's column-major order, this is the packed lower triangle.
    """
    return np.triu_indices(n)


def symmetric(pairs: NDArray, n: int) -> NDArray:
    """Symmetric matrix (n, n) with one value per pair (q,)."""
    K, (rows, columns) = np.empty((n, n)), triangle(n)
    K[rows, columns] = K[columns, rows] = pairs
    return K


class Parameter(NamedTuple):
    """A positive hyperparameter: its name, the start of a chain, and its prior (`priors`), bounds included."""

    name: str
    start: float
    prior: Prior


class Kernel(ABC):
    """Interface of the covariance functions of a Gaussian process.

    Shapes: n or m points with d coordinates; theta (p,), one value per parameter; thetas (s, p), samples of theta;
    q = n (n + 1) / 2 pairs of n points, including each point with itself (`triangle`).
    """

    @abstractmethod
    def parameters(self, d: int) -> list[Parameter]:
        """Hyperparameters (list of p Parameters) for points with d coordinates."""

    @abstractmethod
    def variances(self, thetas: NDArray, d: int) -> NDArray:
        """Variance (s,) of the latent function at any point with d coordinates."""

    @abstractmethod
    def prepare(self, X: NDArray) -> tuple:
        """Precompute what the covariances of all pairs of the points X (n, d) share for every theta."""

    @abstractmethod
    def pairs(self, theta: NDArray, prepared: tuple) -> NDArray:
        """Covariances (q,) of the prepared pairs."""

    @abstractmethod
    def pairs_and_pullback(self, theta: NDArray, prepared: tuple) -> tuple[NDArray, Pullback]:
        """Covariances (q,), and their pullback: derivatives (q,) w.r.t. them -> (p,) w.r.t. theta."""

    def along(self, k: int, theta: NDArray, prepared: tuple) -> Callable[[float], NDArray] | None:
        """Function of theta[k] that returns the covariances (q,); None if they do not depend on it."""
        return lambda value: self.pairs(np.where(np.arange(len(theta)) == k, value, theta), prepared)

    def gram(self, theta: NDArray, X: NDArray) -> NDArray:
        """Covariance matrix (n, n) of the points X (n, d)."""
        return symmetric(self.pairs(theta, self.prepare(X)), len(X))

    @abstractmethod
    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        """Covariances (s, m, n) between points A (m, d) and B (n, d), in the precision of A and B."""

    @abstractmethod
    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        """Covariances (s, m, n), and their pullback: derivatives (s, m, n) w.r.t. them -> (s, m, d) w.r.t. A."""

    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)


@dataclass(frozen=True)
class Pair(Kernel):
    """A combination of two kernels; theta holds the hyperparameters of the first, then those of the second.

    join: (covariances of the first, of the second) -> covariances of the combination.
    shares: (derivatives w.r.t. the joined covariances, covariances of the first, of the second) -> derivatives w.r.t.
        the covariances of the first, of the second.
    """

    first: Kernel
    second: Kernel

    join: ClassVar["staticmethod[[NDArray, NDArray], NDArray]"]
    shares: ClassVar["staticmethod[[NDArray, NDArray, NDArray], tuple[NDArray, NDArray]]"]

    def parameters(self, d: int) -> list[Parameter]:
        sides = {"first": self.first.parameters(d), "second": self.second.parameters(d)}
        return [p._replace(name=f"{side}.{p.name}") for side, parameters in sides.items() for p in parameters]

    def variances(self, thetas: NDArray, d: int) -> NDArray:
        first, second = self._split(thetas, d)
        return self.join(self.first.variances(first, d), self.second.variances(second, d))

    def prepare(self, X: NDArray) -> tuple:
        return self.first.prepare(X), self.second.prepare(X), X.shape[1]

    def pairs(self, theta: NDArray, prepared: tuple) -> NDArray:
        first, second = self._split(theta, prepared[2])
        return self.join(self.first.pairs(first, prepared[0]), self.second.pairs(second, prepared[1]))

    def pairs_and_pullback(self, theta: NDArray, prepared: tuple) -> tuple[NDArray, Pullback]:
        first, second = self._split(theta, prepared[2])
        joined = self.first.pairs_and_pullback(first, prepared[0]), self.second.pairs_and_pullback(second, prepared[1])
        K, pull = self._joined(*joined)
        return K, lambda weights: np.concatenate(pull(weights))

    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        first, second = self._split(thetas, A.shape[1])
        return self.join(self.first.cross(first, A, B), self.second.cross(second, A, B))

    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        first, second = self._split(thetas, A.shape[1])
        K, pull = self._joined(self.first.cross_and_pullback(first, A, B), self.second.cross_and_pullback(second, A, B))
        return K, lambda weights: sum(pull(weights))

    def _split(self, thetas, d):
        """Hyperparameters (..., p) of the first and of the second kernel."""
        cut = len(self.first.parameters(d))
        return thetas[..., :cut], thetas[..., cut:]

    def _joined(self, first, second):
        """Joined covariances and the pullbacks of both kernels, given (covariances, pullback) of each."""
        (K, pull), (K_second, pull_second) = first, second

        def pulled(weights):
            # chain rule: derivatives w.r.t. each kernel's covariances, then that kernel's pullback
            by_first, by_second = self.shares(weights, K, K_second)
            return pull(by_first), pull_second(by_second)

        return self.join(K, K_second), pulled


class Sum(Pair):
    """k_1 + k_2, with derivative 1 w.r.t. k_1 and k_2."""

    join = staticmethod(add)
    shares = staticmethod(lambda weights, first, second: (weights, weights))


class Product(Pair):
    """k_1 k_2, with derivatives k_2 w.r.t. k_1 and k_1 w.r.t. k_2."""

    join = staticmethod(mul)
    shares = staticmethod(lambda weights, first, second: (weights * second, weights * first))
