"""Stationary covariance functions with one length scale per dimension: squared exponential and Matern."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.surrogates.gp.ard import Ard
from bayes_hpo.surrogates.gp.kernel import Pullback


@dataclass(frozen=True)
class Stationary(Ard):
    """A function of the scaled distance r, r^2 = sum over dimensions of (a - b)^2 / length^2 (thesis, 2.4).

    A kernel defines `stretch` and its shape over t = stretch r^2.
    """

    stretch: ClassVar[float]

    @staticmethod
    def apart(differences: NDArray) -> NDArray:
        """Squares."""
        return differences**2

    def weight(self, length: float | NDArray) -> float | NDArray:
        """stretch / length^2."""
        return self.stretch / length**2

    def weight_slope(self, length: float | NDArray) -> float | NDArray:
        """-2 stretch / length^3."""
        return -2 * self.stretch / length**3

    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        a, b, _ = self._scaled(thetas, A, B)
        return self.shape(_squares(a, b))

    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        a, b, scales = self._scaled(thetas, A, B)
        covariances, slopes = self.shape_and_slope(_squares(a, b))

        def pullback(weights):
            # d|a - b|^2 / dA = 2 scale (a - b), summed over the observed points b
            by_square = weights * slopes  # (s, m, n)
            return 2 * scales[:, None] * (by_square.sum(axis=2)[:, :, None] * a - by_square @ b)

        return covariances, pullback

    def _scaled(self, thetas, A, B):
        """A (s, m, d), B (s, n, d) and what they were scaled by (s, d): t is their squared distance.

        They are centred first, which keeps rounding errors small in single precision.
        """
        scales = (math.sqrt(self.stretch) / thetas).astype(A.dtype)
        half = A.dtype.type(0.5)
        return (A - half) * scales[:, None], (B - half) * scales[:, None], scales


def _squares(a, b):
    """Squared distances (s, m, n) of the points a (s, m, d) from the points b (s, n, d), as one matrix product.

    |a|^2 - 2 a'b + |b|^2, where rounding may turn a zero negative: the absolute value is taken.
    """
    # (-2 a, |a|^2, 1) . (b, 1, |b|^2)
    ones_a, ones_b = np.ones_like(a[:, :, :1]), np.ones_like(b[:, :, :1])
    left = np.concatenate([-2 * a, np.einsum("smd,smd->sm", a, a)[:, :, None], ones_a], axis=2)
    right = np.concatenate([b, ones_b, np.einsum("snd,snd->sn", b, b)[:, :, None]], axis=2)
    squares = left @ right.swapaxes(1, 2)
    return np.abs(squares, out=squares)


class SquaredExponential(Stationary):
    """exp(-r^2 / 2) (thesis, eq. 2.15 and 3.12, with the minus sign that is missing there)."""

    stretch = 1.0

    @staticmethod
    def shape(t: NDArray) -> NDArray:
        t *= -0.5
        return np.exp(t, out=t)

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        correlations = SquaredExponential.shape(t)
        return correlations, -0.5 * correlations


class Matern32(Stationary):
    """(1 + s) exp(-s) with s = sqrt(3) r: once differentiable (Rasmussen and Williams 2006, eq. 4.17)."""

    stretch = 3.0

    @staticmethod
    def shape(t: NDArray) -> NDArray:
        return Matern32.shape_and_slope(t)[0]

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        s = np.sqrt(t, out=t)
        slopes = np.exp(-s)
        s += 1
        s *= slopes
        slopes *= -0.5
        return s, slopes


class Matern52(Stationary):
    """(1 + s + s^2 / 3) exp(-s) with s = sqrt(5) r: twice differentiable (thesis, 4.4; Spearmint's kernel)."""

    stretch = 5.0

    @staticmethod
    def shape(t: NDArray) -> NDArray:
        # in place, one operation after the other: t = 5 r^2 and s = sqrt(t)
        s = np.sqrt(t)
        t *= 1 / 3
        t += s
        t += 1
        np.negative(s, out=s)
        t *= np.exp(s, out=s)
        return t

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        s = np.sqrt(t)
        decay = np.exp(-s)
        s += 1
        t *= 1 / 3
        t += s
        t *= decay
        s *= decay
        s *= -1 / 6
        return t, s
