"""The Gaussian-process model of the targets: constant mean, amplitude times kernel, and noise (thesis, 2.4).

A state (3 + p,) holds the mean, the amplitude (a variance), the noise (a variance) and the kernel's p hyperparameters.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from bayes_hpo.contracts import Predictive
from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.gp.kernel import Kernel, triangle
from bayes_hpo.surrogates.gp.priors import Prior
from bayes_hpo.surrogates.gp.regression import (
    NUGGET,
    cholesky,
    condition,
    log_likelihood_and_gradient,
    log_root,
    noisy,
)

SLACK = 1e-4  # added to the initial amplitude and to both ends of the mean's range, for constant values


@dataclass(frozen=True)
class Model:
    """A kernel with priors on its hyperparameters, and priors on the amplitude and the noise (`priors`).

    kernel: covariance function in units of the amplitude.
    amplitude, noise: priors of the two variances.
    noise_start: noise at which chains start; the kernel's parameters have their own starts.
    Raises: UserError if a prior excludes the start of a chain.
    """

    kernel: Kernel
    amplitude: Prior
    noise: Prior
    noise_start: float

    def __post_init__(self):
        for parameter in self.kernel.parameters(1):
            if parameter.prior.log_density(parameter.start) == -math.inf:
                raise UserError(f"the prior of {parameter.name} must allow {parameter.start:g}, where chains start")
        if self.noise.log_density(self.noise_start) == -math.inf:
            raise UserError(f"noise_start={self.noise_start:g} must be a noise that its prior allows, such as .001")

    def start(self, X: NDArray, y: NDArray) -> NDArray:
        """Initial state (3 + p,) of a chain, given the values y (n,) at X (n, d), as in Spearmint."""
        theta = [parameter.start for parameter in self.kernel.parameters(X.shape[1])]
        return np.array([y.mean(), y.std() + SLACK, self.noise_start, *theta])

    def within(self, state: NDArray, y: NDArray) -> NDArray:
        """The state (3 + p,), possibly of other values, with its mean clipped to the range of y (n,)."""
        return np.concatenate([np.clip(state[:1], *_range(y)), state[1:]])

    def density(self, X: NDArray, y: NDArray) -> "LogDensity":
        """Log density of a state, given the values y (n,) at X (n, d)."""
        return LogDensity(self, X, y, [slice(None)])

    def posterior(self, states: NDArray, X: NDArray, y: NDArray) -> Predictive:
        """Posterior given the values y (n,) at X (n, d), with one sample per state (s, 3 + p)."""
        return condition(self.kernel, states, X, y)


class Block:
    """Correlated values y (n,) at X (n, d). Four numbers (`evidence`) give their likelihood at any mean."""

    def __init__(self, kernel, X, y):
        self.kernel, self.prepared = kernel, kernel.prepare(X)
        self.sides = np.column_stack([np.ones(len(y)), y])

    def evidence(self, pairs: NDArray, amplitude: float, noise: float) -> NDArray:
        """log |K|^(1/2), 1'K^-1 1, 1'K^-1 y and y'K^-1 y (4,), given the kernel's covariances of the pairs (q,)."""
        # K = LL', so 1'K^-1 y = (L^-1 1)'(L^-1 y), and likewise for the others
        L = cholesky(noisy(pairs, len(self.sides), amplitude, noise))
        whitened, _ = lapack.dtrtrs(L, self.sides, lower=1)
        ones, y = whitened.T
        return np.array([log_root(L), ones @ ones, ones @ y, y @ y])

    def likelihood_and_gradient(
        self, mean: float, amplitude: float, noise: float, theta: NDArray
    ) -> tuple[float, NDArray]:
        """Log marginal likelihood (thesis, eq. 2.16) and its gradient (3 + p,); theta (p,)."""
        n = len(self.sides)
        pairs, pullback = self.kernel.pairs_and_pullback(theta, self.prepared)
        value, by_K, by_mean = log_likelihood_and_gradient(noisy(pairs, n, amplitude, noise), self.sides[:, 1] - mean)
        # K = amplitude (k + NUGGET I) + noise I, dl/da = sum_ij dl/dK_ij dK_ij/da for every hyperparameter a
        by_noise = by_K.trace()
        by_pair = 2 * by_K[triangle(n)]  # each pair occurs twice in K, except on the diagonal
        by_pair[np.equal(*triangle(n))] /= 2
        by_amplitude = by_pair @ pairs + NUGGET * by_noise
        return value, np.array([by_mean, by_amplitude, by_noise, *(amplitude * pullback(by_pair))])


class LogDensity:
    """Unnormalized log posterior density of a state, given values y (n,) at X (n, d); -inf outside its support.

    model: kernel and priors.
    X (n, d), y (n,): observed points and values.
    rows: row indices of each block; blocks are independent.
    The mean's prior is uniform between the smallest and the largest value, widened by SLACK for constant values; the
    other priors are the model's.
    """

    def __init__(self, model, X, y, rows):
        # values are centred: far from zero, the quadratic forms would lose digits
        self.n, self.origin, self.bounds = len(y), y.mean(), _range(y)
        self.blocks = [Block(model.kernel, X[block], y[block] - self.origin) for block in rows]
        self.priors = [model.amplitude, model.noise, *(p.prior for p in model.kernel.parameters(X.shape[1]))]

    def __call__(self, state):
        value = self.log_prior(state)
        if value == -math.inf:
            return value
        mean, amplitude, noise = state[:3].tolist()
        pairs = ((block, block.kernel.pairs(state[3:], block.prepared)) for block in self.blocks)
        evidence = sum(block.evidence(covariances, amplitude, noise) for block, covariances in pairs)
        return value + self.log_likelihood(mean, evidence)

    def log_likelihood(self, mean: float, evidence: NDArray) -> float:
        """Log marginal likelihood (thesis, eq. 2.16) of a mean, given the sum (4,) of the blocks' evidence.

        -1/2 (y - m)'K^-1 (y - m) - log |K|^(1/2) - n/2 log 2 pi, where y and m are relative to the origin.
        """
        log_root, ones, cross, squares = evidence.tolist()
        # (y - m)'K^-1 (y - m) = y'K^-1 y - 2 m 1'K^-1 y + m^2 1'K^-1 1
        m = mean - self.origin
        return -0.5 * (squares - 2 * m * cross + m * m * ones) - log_root - 0.5 * self.n * math.log(2 * math.pi)

    def log_prior(self, state: NDArray) -> float:
        """Log prior density of a state (3 + p,), up to a constant."""
        mean, *others = state.tolist()
        if not self.bounds[0] <= mean <= self.bounds[1]:
            return -math.inf
        return sum(prior.log_density(value) for prior, value in zip(self.priors, others, strict=True))

    def likelihood_and_gradient(self, state: NDArray) -> tuple[float, NDArray]:
        """Log marginal likelihood of a state (3 + p,) inside the support, and its gradient (3 + p,)."""
        mean, amplitude, noise = state[:3].tolist()
        # blocks are independent, so their log likelihoods and gradients add up
        parts = (mean - self.origin, amplitude, noise, state[3:])
        values, gradients = zip(*(block.likelihood_and_gradient(*parts) for block in self.blocks), strict=True)
        return sum(values), sum(gradients)


def _range(y):
    """Lower and upper bound of the mean, given the values y (n,)."""
    return y.min() - SLACK, y.max() + SLACK
