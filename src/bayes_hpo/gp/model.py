"""The Gaussian process that stands for the loss: a constant mean, an amplitude times a kernel, and noise (thesis, 2.4).

A state (3 + p,) holds the mean, the amplitude (a variance), the noise (a variance) and the kernel's p hyperparameters.
"""

import math
from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.gp.kernel import Kernel
from bayes_hpo.gp.regression import condition, log_likelihood, log_likelihood_and_gradient, noisy

SLACK = 1e-4  # what equal values leave to the start's amplitude and to the mean


@dataclass(frozen=True)
class Model:
    """A kernel and the priors (`gp.priors`) of the amplitude and the noise; the kernel brings those of its own.

    noise_start: where chains start, as the starts of the kernel's parameters. Raises: UserError when the
    prior of the noise or one of the kernel's leaves out where chains start.
    """

    kernel: Kernel
    amplitude: object
    noise: object
    noise_start: float

    def __post_init__(self):
        for parameter in self.kernel.parameters(1):
            if parameter.prior.log_density(parameter.start) == -math.inf:
                raise UserError(f"the prior of {parameter.name} must allow {parameter.start:g}, where chains start")
        if self.noise.log_density(self.noise_start) == -math.inf:
            raise UserError(f"noise_start={self.noise_start:g} must be a noise that its prior allows, such as .001")

    def start(self, X, y):
        """State (3 + p,) from which a chain starts, given the values y (n,) at X (n, d): Spearmint's."""
        own = [parameter.start for parameter in self.kernel.parameters(X.shape[1])]
        return np.array([y.mean(), y.std() + SLACK, self.noise_start, *own])

    def within(self, state, y):
        """The state (3 + p,), which may be of other values, with its mean in the range of the values y (n,)."""
        return np.concatenate([np.clip(state[:1], *_range(y)), state[1:]])

    def density(self, X, y):
        """The LogDensity of a state, given the values y (n,) at X (n, d)."""
        return LogDensity(self, X, y, [Block(self.kernel, X, y)])

    def posterior(self, states, X, y):
        """The Posterior given the values y (n,) at X (n, d), one sample for each of the states (s, 3 + p)."""
        return condition(self.kernel, states, X, y)


class Block:
    """Values y (n,) at X (n, d) that covary, and their log likelihood; the latest is kept with its covariances."""

    def __init__(self, kernel, X, y):
        self.kernel, self.y = kernel, y
        self._prepared = kernel.prepare(X)
        self._kept_gram = self._kept_value = None, None

    def log_likelihood(self, mean, amplitude, noise, theta):
        """Log marginal likelihood (thesis, eq. 2.16) at a state's parts; theta (p,)."""
        moved = self.kernel.moved_by(theta, self._prepared).tobytes()
        state = mean, amplitude, noise, moved
        if self._kept_value[0] != state:
            K = noisy(self._gram(theta, moved), amplitude, noise)
            self._kept_value = state, log_likelihood(K, self.y - mean)
        return self._kept_value[1]

    def likelihood_and_gradient(self, mean, amplitude, noise, theta):
        """The same, and its gradient (3 + p,) by the state."""
        gram, pullback = self.kernel.gram_and_pullback(theta, self._prepared)
        value, by_K, by_mean = log_likelihood_and_gradient(noisy(gram, amplitude, noise), self.y - mean)
        by_amplitude = (by_K * noisy(gram, 1, 0)).sum()
        return value, np.array([by_mean, by_amplitude, by_K.trace(), *(amplitude * pullback(by_K))])

    def _gram(self, theta, moved):
        """The kernel's covariances (n, n), which moves of mean, amplitude and noise leave alone."""
        if self._kept_gram[0] != moved:
            self._kept_gram = moved, self.kernel.gram(theta, self._prepared)
        return self._kept_gram[1]


class LogDensity:
    """Log of the unnormalised posterior density of a state, given independent blocks of values; -inf off its support.

    The mean's prior is uniform between the smallest and the largest value (SLACK beyond them, or equal values would
    leave it no room); the others are the model's.
    """

    def __init__(self, model, X, y, blocks):
        self.blocks = blocks
        self.bounds = _range(y)
        self.priors = [model.amplitude, model.noise, *(p.prior for p in model.kernel.parameters(X.shape[1]))]

    def __call__(self, state):
        value = self.log_prior(state)
        if value == -math.inf:
            return value
        mean, amplitude, noise = state[:3].tolist()
        return value + sum(block.log_likelihood(mean, amplitude, noise, state[3:]) for block in self.blocks)

    def log_prior(self, state):
        """Log prior density, up to a constant."""
        mean, *others = state.tolist()
        if not self.bounds[0] <= mean <= self.bounds[1]:
            return -math.inf
        return sum(prior.log_density(value) for prior, value in zip(self.priors, others, strict=True))

    def likelihood_and_gradient(self, state):
        """Log marginal likelihood, priors apart, and its gradient (3 + p,) by the state."""
        mean, amplitude, noise = state[:3].tolist()
        parts = [block.likelihood_and_gradient(mean, amplitude, noise, state[3:]) for block in self.blocks]
        return sum(value for value, _ in parts), sum(gradient for _, gradient in parts)


def _range(y):
    """Lowest and highest mean that the values y (n,) allow."""
    return y.min() - SLACK, y.max() + SLACK
