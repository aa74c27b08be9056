"""Stationary kernels with one length scale per dimension (automatic relevance determination, ARD)."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.surrogates.gp.kernel import Kernel, Parameter, Pullback, triangle
from bayes_hpo.surrogates.gp.priors import Prior


@dataclass(frozen=True)
class Ard(Kernel):
    """A correlation that is a function of t = stretch x sum over dimensions k of (|a_k - b_k| / length_k)^power.

    length: prior of every dimension's length scale, in units of the cube.
    A subclass defines power, stretch and the function of t; `shape` and `shape_and_slope` may overwrite their argument.
    """

    length: Prior

    power: ClassVar[int]
    stretch: ClassVar[float] = 1.0

    def parameters(self, d: int) -> list[Parameter]:
        return [Parameter(f"length_{k}", 1.0, self.length) for k in range(d)]

    def variances(self, thetas: NDArray, d: int) -> NDArray:
        return np.ones(len(thetas))

    def prepare(self, X: NDArray) -> tuple:
        """The v dimensions in which the points X (n, d) differ, and |a_k - b_k|^power (v, q) of all pairs."""
        differ = np.flatnonzero(np.ptp(X, axis=0) > 0)
        rows, columns = triangle(len(X))
        # one dimension at a time, which stays in the cache
        apart = [np.abs(x[rows] - x[columns]) ** self.power for x in X.T[differ]]
        return differ, np.array(apart).reshape(len(differ), len(rows))

    def pairs(self, theta: NDArray, prepared: tuple) -> NDArray:
        differ, apart = prepared
        return self.shape(self._weight(theta[differ]) @ apart)

    def pairs_and_pullback(self, theta: NDArray, prepared: tuple) -> tuple[NDArray, Pullback]:
        differ, apart = prepared
        covariances, slopes = self.shape_and_slope(self._weight(theta[differ]) @ apart)

        def pullback(by_pair):
            # dK/dlength_k = K'(t) (-power stretch / length_k^(power + 1)) apart_k; zero if no points differ in k
            by_theta = np.zeros_like(theta)
            weight_slopes = -self.power * self.stretch / theta[differ] ** (self.power + 1)
            by_theta[differ] = weight_slopes * (apart @ (by_pair * slopes))
            return by_theta

        return covariances, pullback

    def along(self, k: int, theta: NDArray, prepared: tuple) -> Callable[[float], NDArray] | None:
        """`Kernel.along` for one length: the other dimensions' part of t (q,) is computed once, not for every value."""
        differ, apart = prepared
        if k not in differ:
            return None
        # t(length_k) = sum over the other dimensions + stretch / length_k^power apart_k
        apart_k = apart[np.searchsorted(differ, k)]
        others = np.where(differ == k, 0, self._weight(theta[differ])) @ apart
        return lambda value: self.shape(others + self._weight(value) * apart_k)

    def _weight(self, length):
        """Coefficient of |a_k - b_k|^power in t, given length_k (any shape)."""
        return self.stretch / length**self.power

    @classmethod
    def shape(cls, t: NDArray) -> NDArray:
        """Correlation at t (any shape)."""
        return cls.shape_and_slope(t)[0]

    @staticmethod
    @abstractmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        """Correlation and its derivative with respect to t, both of t's shape."""


class Radial(Ard):
    """A function of the scaled distance r, r^2 = sum over dimensions of (a - b)^2 / length^2 (thesis, 2.4).

    A subclass defines `stretch` and the function of t = stretch r^2.
    """

    power = 2

    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        a, b, _ = self._scaled(thetas, A, B)
        return self.shape(_squares(a, b))

    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        a, b, scales = self._scaled(thetas, A, B)
        covariances, slopes = self.shape_and_slope(_squares(a, b))

        def pullback(weights):
            # dt/dA = 2 scale (a - b), with a and b scaled, summed over the points b
            by_square = weights * slopes  # (s, m, n)
            return 2 * scales[:, None] * (by_square.sum(axis=2)[:, :, None] * a - by_square @ b)

        return covariances, pullback

    def _scaled(self, thetas, A, B):
        """A (s, m, d) and B (s, n, d), scaled so that t is their squared distance, and the scales (s, d).

        Both are centred first, which keeps rounding errors small in single precision.
        """
        scales = (math.sqrt(self.stretch) / thetas).astype(A.dtype)
        half = A.dtype.type(0.5)
        return (A - half) * scales[:, None], (B - half) * scales[:, None], scales


def _squares(a, b):
    """Squared distances (s, m, n) between points a (s, m, d) and b (s, n, d), as one matrix product.

    |a|^2 - 2 a'b + |b|^2; rounding may turn a zero negative, so the absolute value is taken.
    """
    # (-2 a, |a|^2, 1) . (b, 1, |b|^2)
    ones_a, ones_b = np.ones_like(a[:, :, :1]), np.ones_like(b[:, :, :1])
    left = np.concatenate([-2 * a, np.einsum("smd,smd->sm", a, a)[:, :, None], ones_a], axis=2)
    right = np.concatenate([b, ones_b, np.einsum("snd,snd->sn", b, b)[:, :, None]], axis=2)
    squares = left @ right.swapaxes(1, 2)
    return np.abs(squares, out=squares)


class SquaredExponential(Radial):
    """exp(-r^2 / 2) (thesis, eq. 2.15 and 3.12, where the minus sign is missing)."""

    stretch = 1.0

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        """exp(-t / 2) at t = r^2 (any shape), and its slope -exp(-t / 2) / 2."""
        t *= -0.5
        correlations = np.exp(t, out=t)
        return correlations, -0.5 * correlations


class Matern32(Radial):
    """(1 + s) exp(-s) with s = sqrt(3) r: once differentiable (Rasmussen and Williams 2006, eq. 4.17)."""

    stretch = 3.0

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        """(1 + s) exp(-s) at t = s^2 (any shape), and its slope -exp(-s) / 2."""
        s = np.sqrt(t, out=t)
        slopes = np.exp(-s)
        s += 1
        s *= slopes
        slopes *= -0.5
        return s, slopes


class Matern52(Radial):
    """(1 + s + s^2 / 3) exp(-s) with s = sqrt(5) r: twice differentiable (thesis, 4.4; Spearmint's kernel)."""

    stretch = 5.0

    @classmethod
    def shape(cls, t: NDArray) -> NDArray:
        """(1 + s + t / 3) exp(-s) at t = s^2 (any shape), computed in place, operation by operation."""
        s = np.sqrt(t)
        t *= 1 / 3
        t += s
        t += 1
        np.negative(s, out=s)
        t *= np.exp(s, out=s)
        return t

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        """(1 + s + t / 3) exp(-s) at t = s^2 (any shape), and its slope -(1 + s) exp(-s) / 6."""
        s = np.sqrt(t)
        decay = np.exp(-s)
        s += 1
        t *= 1 / 3
        t += s
        t *= decay
        s *= decay
        s *= -1 / 6
        return t, s
