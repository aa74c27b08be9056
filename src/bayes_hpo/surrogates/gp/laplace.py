"""The Laplace kernel with one length scale per dimension (thesis, eq. 5.15 and section 5.5)."""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.surrogates.gp.kernel import Pullback
from bayes_hpo.surrogates.gp.stationary import Ard


class Laplace(Ard):
    """exp(-sum over dimensions of |a - b| / length): sample paths are continuous and nowhere differentiable.

    Where two points agree in a coordinate, the derivative does not exist; the pullback takes 0, the mean of both sides.
    """

    power = 1

    @staticmethod
    def shape_and_slope(t: NDArray) -> tuple[NDArray, NDArray]:
        """exp(-t) at t (any shape), and its slope -exp(-t); overwrites t."""
        correlations = np.exp(np.negative(t, out=t), out=t)
        return correlations, -correlations

    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        return self.cross_and_pullback(thetas, A, B)[0]

    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        """Correlations (s, m, n), and their pullback: derivatives (s, m, n) w.r.t. them -> (s, m, d) w.r.t. A."""
        # K = exp(-sum of |a - b| / length), dK/da = -K sign(a - b) / length
        differences = A.T[:, :, None] - B.T[:, None, :]  # (d, m, n)
        scaled = np.tensordot((-1 / thetas).astype(A.dtype), np.abs(differences), axes=1)
        K = np.exp(scaled, out=scaled)

        def pullback(weights):
            return -np.einsum("smn,dmn->smd", weights * K, np.sign(differences)) / thetas[:, None]

        return K, pullback
