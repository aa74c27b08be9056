"""Exact Gaussian-process regression by Cholesky factors (thesis, 2.1; Rasmussen and Williams 2006, algorithm 2.1)."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from bayes_hpo.errors import Fault
from bayes_hpo.gp.kernels import Matern52

NUGGET = 1e-6  # share of the amplitude that belongs to each point alone (Spearmint's covariance)
JITTERS = (1e-10, 1e-8, 1e-6, 1e-4)  # shares of the mean variance


def cholesky(K):
    """Lower factor L (n, n) with L L' = K; of K (n, n) only the lower triangle is read.

    A matrix that rounding has made indefinite gets the smallest of a few jitters on its diagonal.
    Raises: Fault when none is enough, as with values that are not finite.
    """
    jittered = (K + jitter * K.trace() / len(K) * np.eye(len(K)) for jitter in JITTERS)
    for matrix in itertools.chain([K], jittered):
        L, problem = lapack.dpotrf(matrix, lower=1)
        if problem == 0 and not math.isnan(L[-1, -1]):  # a NaN anywhere ends up there, and LAPACK may not tell
            return L
    raise Fault(
        f"the covariance of {len(K)} points has no Cholesky factor, even with a jitter of {JITTERS[-1]:g}; "
        "check that every point, loss and hyperparameter is finite"
    )


def log_likelihood(K, residuals):
    """Log density of the residuals y - m (n,) under N(0, K): thesis, eq. 2.16. Raises: Fault (see cholesky)."""
    L = cholesky(K)
    whitened, _ = lapack.dtrtrs(L, residuals, lower=1)
    n = len(residuals)
    return -0.5 * float(whitened @ whitened) - float(np.log(L.diagonal()).sum()) - 0.5 * n * math.log(2 * math.pi)


@dataclass(frozen=True)
class Posterior:
    """The latent function given n observations, at one setting of the hyperparameters.

    mean: the constant prior mean. X (n, d): observed points. whitener (n, n): inverse of the lower factor of K + noise.
    weights (n,): (K + noise)^-1 (y - mean).
    """

    kernel: Matern52
    mean: float
    X: np.ndarray
    whitener: np.ndarray
    weights: np.ndarray

    def means(self, points):
        """Mean (m,) at points (m, d): thesis, eq. 2.6."""
        return self.mean + self.kernel(points, self.X) @ self.weights

    def moments(self, points):
        """Mean (m,) and latent variance (m,), without noise, at points (m, d): thesis, eq. 2.6 and 2.7."""
        covariances = self.kernel(points, self.X)
        return self._moments(covariances, covariances @ self.whitener.T)

    def moments_and_gradients(self, points):
        """Mean (m,), latent variance (m,) and the gradient (m, d) of each with respect to the points (m, d)."""
        covariances, gradients = self.kernel.value_and_gradient(points, self.X)  # (m, n), (m, n, d)
        whitened = covariances @ self.whitener.T
        solved = whitened @ self.whitener  # (m, n), rows k' (K + noise)^-1
        mean_gradient = np.einsum("mnd,n->md", gradients, self.weights)
        variance_gradient = -2 * np.einsum("mnd,mn->md", gradients, solved)
        return *self._moments(covariances, whitened), mean_gradient, variance_gradient

    def _moments(self, covariances, whitened):
        mean = self.mean + covariances @ self.weights
        nugget = NUGGET * self.kernel.amplitude  # what no other point knows, so a lower bound: rounding stays above it
        explained = np.einsum("mn,mn->m", whitened, whitened)
        return mean, np.maximum(self.kernel.amplitude - explained, 0) + nugget


def condition(X, y, *, kernel, mean, noise):
    """Posterior given y (n,) observed at X (n, d) with the variance `noise`. Raises: Fault (see cholesky)."""
    L = cholesky(kernel(X, X) + (NUGGET * kernel.amplitude + noise) * np.eye(len(X)))
    whitener, _ = lapack.dtrtri(L, lower=1)
    return Posterior(kernel, mean, X, whitener, (whitener @ (y - mean)) @ whitener)
