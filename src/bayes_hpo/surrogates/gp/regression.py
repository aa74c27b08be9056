"""Exact Gaussian-process regression by Cholesky factors (thesis, 2.1; Rasmussen and Williams 2006, algorithm 2.1)."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from bayes_hpo.contracts import Memory
from bayes_hpo.errors import RunError
from bayes_hpo.surrogates.gp.kernel import Kernel

NUGGET = 1e-6  # fraction of the amplitude that is independent between points (as in Spearmint's covariance)
CHAIN = "chain"  # key of the latest hyperparameter sample in a trial's memory
JITTERS = (0, 1e-10, 1e-8, 1e-6, 1e-4)  # fractions of the mean variance, in increasing order


def noisy(pairs: NDArray, n: int, amplitude: float, noise: float) -> NDArray:
    """Covariances K (n, n) of the observed values, given the kernel's by pairs (q,); only the lower triangle is set."""
    # K = amplitude (k(X, X) + NUGGET I) + noise I
    K, _ = lapack.dtpttr(n, amplitude * pairs, uplo="L")
    K.T.reshape(-1)[:: n + 1] += NUGGET * amplitude + noise
    return K


def cholesky(K: NDArray) -> NDArray:
    """Lower Cholesky factor L (n, n) of K = LL'; entries above its diagonal are undefined.

    K (n, n): symmetric, of which only the lower triangle is read. If rounding has made it indefinite, the smallest
        sufficient jitter is added to its diagonal.
    Raises: RunError if no jitter is sufficient, for example if values are not finite.
    """
    for jitter in JITTERS:
        matrix = K if jitter == 0 else K + jitter * K.trace() / len(K) * np.eye(len(K))
        L, problem = lapack.dpotrf(matrix, lower=1, clean=0)
        if problem == 0 and not math.isnan(L[-1, -1]):  # any NaN propagates to it; LAPACK may not report it
            return L
    raise RunError(
        f"the covariance of {len(K)} points has no Cholesky factor, even with a jitter of {JITTERS[-1]:g}; "
        "check that every point, loss and hyperparameter is finite"
    )


def precision(whitener: NDArray) -> NDArray:
    """K^-1 = W'W (n, n) of a matrix K = LL', given the inverse W = L^-1 (n, n) of its lower factor."""
    # LAPACK computes the lower triangle of W'W; adding its transpose, with half the diagonal, completes it
    lower = np.tril(lapack.dlauum(whitener, lower=1)[0])
    lower.reshape(-1)[:: len(lower) + 1] /= 2
    return lower + lower.T


def log_likelihood_and_gradient(K: NDArray, residuals: NDArray) -> tuple[float, NDArray, float]:
    """Log density of residuals y - m (n,) under N(0, K) (thesis, eq. 2.16), and its derivatives w.r.t. K (n, n) and m.

    Raises: RunError (`cholesky`).
    """
    L, n = cholesky(K), len(residuals)
    inverse = precision(lapack.dtrtri(L, lower=1)[0])
    weights = inverse @ residuals
    # l = -1/2 r'K^-1 r - log |K|^(1/2) - n/2 log 2 pi, dl/dK = 1/2 (K^-1 r r'K^-1 - K^-1), dl/dm = 1'K^-1 r
    value = -0.5 * float(residuals @ weights) - log_root(L) - 0.5 * n * math.log(2 * math.pi)
    return value, 0.5 * (np.outer(weights, weights) - inverse), weights.sum()


def log_root(L: NDArray) -> float:
    """log |K|^(1/2) of a matrix K with lower Cholesky factor L (n, n)."""
    return float(np.log(L.diagonal()).sum())


@dataclass(frozen=True)
class Sampled:
    """A Gaussian process at s samples of its hyperparameters.

    kernel: covariance function in units of the amplitude.
    states (s, 3 + p): the samples (`model`).
    """

    kernel: Kernel
    states: NDArray

    def __len__(self):
        """Number of samples s."""
        return len(self.states)

    @property
    def state(self) -> Memory:
        """The latest sample (3 + p,), from which a chain continues."""
        return {CHAIN: self.states[-1]}

    def variances(self, explained: NDArray, d: int) -> NDArray:
        """Latent variances (s, m) at points with d coordinates, given the part `explained` (s, m) by the observations.

        The NUGGET keeps them above zero and above rounding errors.
        """
        # v(x) = max(amplitude k(x, x) - explained(x), 0) + amplitude NUGGET
        amplitudes = self.states[:, 1]
        prior = amplitudes * self.kernel.variances(self.states[:, 3:], d)
        return np.maximum(prior[:, None] - explained, 0) + NUGGET * amplitudes[:, None]


@dataclass(frozen=True)
class Posterior(Sampled):
    """The latent function given n observations.

    X (n, d): observed points.
    whiteners (s, n, n): inverse lower Cholesky factors of K + noise, in single precision, for `acquisition.maximize`.
    precisions (s, n, n): (K + noise)^-1.
    weights (s, n): (K + noise)^-1 (y - mean).
    """

    X: NDArray
    whiteners: NDArray
    precisions: NDArray
    weights: NDArray

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Means (s, m) and latent variances (s, m), without noise, at points (m, d) (thesis, eq. 2.6 and 2.7)."""
        # m(x) = m + k'(K + noise)^-1 (y - m), v(x) = k(x, x) - k'(K + noise)^-1 k
        covariances = self._amplitudes * self.kernel.cross(self.states[:, 3:], points, self.X)
        return self._moments(covariances, covariances @ self.precisions)

    def moments_and_pullback(self, points: NDArray) -> tuple[NDArray, NDArray, Callable]:
        """`moments`, and their pullback to the points.

        pullback(by_mean (s, m), by_variance (s, m)) -> (m, d). With a single derivative set to 1 and all others to 0,
        it gives the gradient of one mean or variance.
        """
        correlations, pull = self.kernel.cross_and_pullback(self.states[:, 3:], points, self.X)
        covariances = self._amplitudes * correlations
        solved = covariances @ self.precisions  # (s, m, n)

        def pullback(by_mean, by_variance):
            # dm/dk = (K + noise)^-1 (y - m) and dv/dk = -2 (K + noise)^-1 k
            by_covariance = by_mean[:, :, None] * self.weights[:, None] - 2 * by_variance[:, :, None] * solved
            return pull(self._amplitudes * by_covariance).sum(axis=0)

        return *self._moments(covariances, solved), pullback

    @property
    def _amplitudes(self):
        return self.states[:, 1, None, None]

    def _moments(self, covariances, solved):
        means = self.states[:, :1] + np.einsum("smn,sn->sm", covariances, self.weights)
        explained = np.einsum("smn,smn->sm", covariances, solved)
        return means, self.variances(explained, self.X.shape[1])


def condition(kernel: Kernel, states: NDArray, X: NDArray, y: NDArray) -> Posterior:
    """Posterior given y (n,) observed at X (n, d), with one sample per state (s, 3 + p). Raises: RunError."""
    s, n = len(states), len(X)
    whiteners, precisions = np.empty((s, n, n), np.float32), np.empty((s, n, n))
    prepared = kernel.prepare(X)
    # Rasmussen and Williams 2006, algorithm 2.1, lines 2 and 3, for every sample
    for i, (_, amplitude, noise, *theta) in enumerate(states):
        L = cholesky(noisy(kernel.pairs(np.array(theta), prepared), n, amplitude, noise))
        whitener, _ = lapack.dtrtri(L, lower=1)
        whiteners[i], precisions[i] = whitener, precision(whitener)
    weights = (precisions @ (y - states[:, :1])[:, :, None])[:, :, 0]
    return Posterior(kernel, states, X, whiteners, precisions, weights)
