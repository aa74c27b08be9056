"""Covariance functions of the Gaussian process, on two sets of points of the unit cube."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist


@dataclass(frozen=True)
class Matern52:
    """Matérn kernel with nu = 5/2 and one length scale per dimension (thesis, 4.4; eq. 2.15 prints another one).

    amplitude: variance of the latent function (sigma_a^2), above zero. lengths (d,): above zero, in units of the cube.
    Another stationary kernel differs in `correlation` and `slope` only.
    """

    amplitude: float
    lengths: np.ndarray

    def __call__(self, A, B):
        """Covariances (m, n) of the points A (m, d) with the points B (n, d)."""
        return self.amplitude * self.correlation(self._squares(A, B))

    def value_and_gradient(self, A, B):
        """Covariances (m, n) and their gradients (m, n, d) with respect to the points A."""
        squares = self._squares(A, B)
        steps = (A[:, None, :] - B[None, :, :]) * (2 * self.amplitude / self.lengths**2)
        return self.amplitude * self.correlation(squares), self.slope(squares)[:, :, None] * steps

    def _squares(self, A, B):
        return cdist(A / self.lengths, B / self.lengths, "sqeuclidean")

    @staticmethod
    def correlation(squares):
        """Correlation at squared scaled distances r^2 (any shape): (1 + s + s^2/3) exp(-s) with s = sqrt(5) r."""
        s = np.sqrt(5 * squares)
        return (1 + s * (1 + s / 3)) * np.exp(-s)

    @staticmethod
    def slope(squares):
        """Derivative of `correlation` with respect to r^2, finite at 0 too: -5/6 (1 + s) exp(-s)."""
        s = np.sqrt(5 * squares)
        return -5 / 6 * (1 + s) * np.exp(-s)
