"""Covariance functions on the unit cube, and the contract that every one of them keeps.

A kernel is the covariance of two values of the latent function in units of its amplitude. Its hyperparameters theta
(p,) are arguments, not attributes, so that one kernel serves every sample of them. A pullback turns the
derivatives of any number with respect to the covariances into its derivatives with respect to what they depend on
(reverse accumulation), so sums and products need no array of more than one covariance per pair of points.
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

Pullback = Callable[[NDArray], NDArray]  # derivatives with respect to values -> with respect to what they depend on


@lru_cache(maxsize=4)
def triangle(n: int) -> tuple[NDArray, NDArray]:
    """Rows (q,) and columns (q,) of the pairs of n points: a matrix' upper triangle and its diagonal, row by row.

    In LAPACK's order, where columns come first, that is the packed lower triangle.
    """
    return np.triu_indices(n)


def symmetric(pairs: NDArray, n: int) -> NDArray:
    """The symmetric matrix (n, n) of one value a pair (q,)."""
    K, (rows, columns) = np.empty((n, n)), triangle(n)
    K[rows, columns] = K[columns, rows] = pairs
    return K


class Parameter(NamedTuple):
    """One hyperparameter above zero: its name, where a chain starts, its prior (`priors`), which has its bounds."""

    name: str
    start: float
    prior: Prior


class Kernel(ABC):
    """The interface of a covariance function of a Gaussian process.

    Shapes: n or m points of d coordinates; theta (p,) one value per parameter; thetas (s, p) samples of them;
    q = n (n + 1) / 2 pairs of n points, each with itself included (`triangle`).
    """

    @abstractmethod
    def parameters(self, d: int) -> list[Parameter]:
        """The hyperparameters (list of p Parameters) for points of d coordinates."""

    @abstractmethod
    def variances(self, thetas: NDArray, d: int) -> NDArray:
        """Variance (s,) at every point of d coordinates."""

    @abstractmethod
    def prepare(self, X: NDArray) -> tuple:
        """Arrays from which the covariances of all pairs of the points X (n, d) follow at any theta."""

    @abstractmethod
    def pairs(self, theta: NDArray, prepared: tuple) -> NDArray:
        """Covariances (q,) of the prepared pairs."""

    @abstractmethod
    def pairs_and_pullback(self, theta: NDArray, prepared: tuple) -> tuple[NDArray, Pullback]:
        """The same, and its pullback: derivatives (q,) by the covariances -> derivatives (p,) by theta."""

    def along(self, k: int, theta: NDArray, prepared: tuple) -> Callable[[float], NDArray] | None:
        """Function: value of theta[k] -> covariances (q,) of the pairs; None where they do not depend on it."""
        return lambda value: self.pairs(np.where(np.arange(len(theta)) == k, value, theta), prepared)

    def gram(self, theta: NDArray, X: NDArray) -> NDArray:
        """Covariances (n, n) of the points X (n, d) with each other."""
        return symmetric(self.pairs(theta, self.prepare(X)), len(X))

    @abstractmethod
    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        """Covariances (s, m, n) of the points A (m, d) with the points B (n, d), in the precision of A and B."""

    @abstractmethod
    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        """The same, and its pullback: derivatives (s, m, n) by the covariances -> derivatives (s, m, d) by A."""

    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)


@dataclass(frozen=True)
class Pair(Kernel):
    """Two kernels combined; theta holds the hyperparameters of the first, then those of the second.

    join: (covariances of the first, of the second) -> those of the combination.
    shares: (derivatives by the joined covariances, both covariances) -> derivatives by the first, by the second.
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
        """The hyperparameters (..., p) of the first and of the second kernel."""
        cut = len(self.first.parameters(d))
        return thetas[..., :cut], thetas[..., cut:]

    def _joined(self, first, second):
        """Joined covariances, and the pulled-back weights of both kernels, given covariances and pullback of each."""
        (K, pull), (K_second, pull_second) = first, second

        def pulled(weights):
            # chain rule: each kernel's share of the derivatives, then its own pullback
            by_first, by_second = self.shares(weights, K, K_second)
            return pull(by_first), pull_second(by_second)

        return self.join(K, K_second), pulled


class Sum(Pair):
    """The sum of two kernels."""

    join = staticmethod(add)
    shares = staticmethod(lambda weights, first, second: (weights, weights))


class Product(Pair):
    """The product of two kernels."""

    join = staticmethod(mul)
    shares = staticmethod(lambda weights, first, second: (weights * second, weights * first))
