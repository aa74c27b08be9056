"""The Laplace kernel with one length scale per dimension (thesis, eq. 5.5 and 5.15)."""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.surrogates.gp.ard import Ard
from bayes_hpo.surrogates.gp.kernel import Pullback


class Laplace(Ard):
    """exp(-sum over dimensions of |a - b| / length): continuous, nowhere differentiable along a path.

    It has no derivative by a coordinate in which two points agree; the pullback takes 0, the mean of both sides.
    """

    @staticmethod
    def apart(differences: NDArray) -> NDArray:
        """Distances."""
        return np.abs(differences)

    def weight(self, length: float | NDArray) -> float | NDArray:
        """1 / length."""
        return 1 / length

    def weight_slope(self, length: float | NDArray) -> float | NDArray:
        """-1 / length^2."""
        return -1 / length**2

    @staticmethod
    def shape(t: NDArray) -> NDArray:
        return np.exp(np.negative(t, out=t), out=t)

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        correlations = Laplace.shape(t)
        return correlations, -correlations

    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        return _correlations(thetas, np.abs(_differences(A, B)))

    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        differences = _differences(A, B)
        K = _correlations(thetas, np.abs(differences))

        # dK/da = -K sign(a - b) / length
        def pullback(weights):
            return -np.einsum("smn,dmn->smd", weights * K, np.sign(differences)) / thetas[:, None]

        return K, pullback


def _differences(A, B):
    """Differences (d, m, n) of the points A (m, d) from the points B (n, d)."""
    return A.T[:, :, None] - B.T[:, None, :]


def _correlations(thetas, distances):
    """Correlations (s, m, n) at distances (d, m, n)."""
    scaled = np.tensordot((-1 / thetas).astype(distances.dtype), distances, axes=1)
    return np.exp(scaled, out=scaled)
