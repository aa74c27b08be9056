"""The conditional kernel (thesis, eq. 5.9): points covary only if all their active conditions are the same.

Blocks of points with the same conditions are independent given the hyperparameters that they share. So each block has
its own Cholesky factor (eq. 5.10 and 5.11), which is kept when a length scale moves that does not affect the block.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.kernel import Kernel, Parameter, Pullback, triangle
from bayes_hpo.surrogates.gp.model import LogDensity, Model
from bayes_hpo.surrogates.gp.regression import Posterior, Sampled, condition


@dataclass(frozen=True)
class Conditional(Kernel):
    """`kernel` between points with the same signature (`Space.signatures`), 0 otherwise; computed densely.

    Positive semidefinite as the product of two such kernels: having the same signature is an equivalence relation.
    """

    kernel: Kernel
    space: Space

    def parameters(self, d: int) -> list[Parameter]:
        return self.kernel.parameters(d)

    def variances(self, thetas: NDArray, d: int) -> NDArray:
        return self.kernel.variances(thetas, d)

    def prepare(self, X: NDArray) -> tuple:
        return self.kernel.prepare(X), self._same(X, X)[triangle(len(X))]

    def pairs(self, theta: NDArray, prepared: tuple) -> NDArray:
        # k_C(x, x') = k(x, x') [signature(x) = signature(x')]  (thesis, eq. 5.9)
        return self.kernel.pairs(theta, prepared[0]) * prepared[1]

    def pairs_and_pullback(self, theta: NDArray, prepared: tuple) -> tuple[NDArray, Pullback]:
        K, pullback = self.kernel.pairs_and_pullback(theta, prepared[0])
        return K * prepared[1], lambda weights: pullback(weights * prepared[1])

    def cross(self, thetas: NDArray, A: NDArray, B: NDArray) -> NDArray:
        return self.kernel.cross(thetas, A, B) * self._same(A, B)

    def cross_and_pullback(self, thetas: NDArray, A: NDArray, B: NDArray) -> tuple[NDArray, Pullback]:
        same = self._same(A, B)
        K, pullback = self.kernel.cross_and_pullback(thetas, A, B)
        return K * same, lambda weights: pullback(weights * same)

    def _same(self, A, B):
        """Whether points A (m, d) and B (n, d) have the same signature (m, n)."""
        return np.equal.outer(self.space.signatures(A), self.space.signatures(B))


@dataclass(frozen=True)
class BlockModel(Model):
    """The model with kernel Conditional(kernel, space), computed block by block."""

    space: Space

    def density(self, X: NDArray, y: NDArray) -> LogDensity:
        return LogDensity(self, X, y, list(self._blocks(X).values()))

    def posterior(self, states: NDArray, X: NDArray, y: NDArray) -> "BlockPosterior":
        # K is block diagonal, so each block has its own Cholesky factor (thesis, eq. 5.10)
        blocks = {
            signature: condition(self.kernel, states, X[rows], y[rows]) for signature, rows in self._blocks(X).items()
        }
        return BlockPosterior(self.kernel, states, self.space, blocks)

    def _blocks(self, X):
        """Row indices of the points X (n, d) in each block: signature -> array."""
        signatures = self.space.signatures(X)
        return {int(signature): np.flatnonzero(signatures == signature) for signature in np.unique(signatures)}


@dataclass(frozen=True)
class BlockPosterior(Sampled):
    """The latent function given the observations of every block.

    blocks: signature -> Posterior; points with any other signature have the prior.
    """

    space: Space
    blocks: dict[int, Posterior]

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Means (s, m) and latent variances (s, m), without noise, at points (m, d)."""
        # thesis, eq. 5.10 and 5.11: a point depends on the observations of its block only; without any, the prior holds
        means = np.repeat(self.states[:, :1], len(points), axis=1)
        variances = self.variances(np.zeros_like(means), points.shape[1])
        signatures = self.space.signatures(points)
        for signature in self.blocks.keys() & set(signatures.tolist()):
            inside = signatures == signature
            means[:, inside], variances[:, inside] = self.blocks[signature].moments(points[inside])
        return means, variances
