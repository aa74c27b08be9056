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
NOISE_START = 1e-3


@dataclass(frozen=True)
class Model:
    """A kernel and the priors (`gp.priors`) of the amplitude and the noise; the kernel brings those of its own.

    Raises: UserError when a prior of the kernel's leaves out where chains start.
    """

    kernel: Kernel
    amplitude: object
    noise: object

    def __post_init__(self):
        for parameter in self.kernel.parameters(1):
            if parameter.prior.log_density(parameter.start) == -math.inf:
                raise UserError(f"the prior of {parameter.name} must allow {parameter.start:g}, where chains start")

    def start(self, X, y):
        """State (3 + p,) from which a chain starts, given the values y (n,) at X (n, d): Spearmint's."""
        own = [parameter.start for parameter in self.kernel.parameters(X.shape[1])]
        return np.array([y.mean(), y.std() + SLACK, NOISE_START, *own])

    def within(self, state, y):
        """The state (3 + p,), which may be of other values, with its mean in the range of the values y (n,)."""
        return np.concatenate([np.clip(state[:1], *_range(y)), state[1:]])

    def density(self, X, y):
        """The LogDensity of a state, given the values y (n,) at X (n, d)."""
        return LogDensity(self, X, y)

    def posterior(self, states, X, y):
        """The Posterior given the values y (n,) at X (n, d), one sample for each of the states (s, 3 + p)."""
        return condition(self.kernel, states, X, y)


class LogDensity:
    """Log of the unnormalised posterior density of a state, given values y (n,) at X (n, d); -inf off its support.

    The mean's prior is uniform between the smallest and the largest value (SLACK beyond them, or equal values would
    leave it no room); the others are the model's.
    """

    def __init__(self, model, X, y):
        self.kernel, self.y = model.kernel, y
        self.bounds = _range(y)
        self.priors = [model.amplitude, model.noise, *(p.prior for p in model.kernel.parameters(X.shape[1]))]
        self._prepared = model.kernel.prepare(X)
        self._latest = None, None

    def __call__(self, state):
        prior = self.log_prior(state)
        if prior == -math.inf:
            return prior
        mean, amplitude, noise = state[:3].tolist()
        return prior + log_likelihood(noisy(self._gram(state[3:]), amplitude, noise), self.y - mean)

    def log_prior(self, state):
        """Log prior density, up to a constant."""
        mean, *others = state.tolist()
        if not self.bounds[0] <= mean <= self.bounds[1]:
            return -math.inf
        return sum(prior.log_density(value) for prior, value in zip(self.priors, others, strict=True))

    def likelihood_and_gradient(self, state):
        """Log marginal likelihood (thesis, eq. 2.16), priors apart, and its gradient (3 + p,) by the state."""
        mean, amplitude, noise = state[:3].tolist()
        gram, pullback = self.kernel.gram_and_pullback(state[3:], self._prepared)
        value, by_K, by_mean = log_likelihood_and_gradient(noisy(gram, amplitude, noise), self.y - mean)
        by_amplitude = (by_K * noisy(gram, 1, 0)).sum()
        return value, np.array([by_mean, by_amplitude, by_K.trace(), *(amplitude * pullback(by_K))])

    def _gram(self, theta):
        """The kernel's covariances (n, n); the latest are kept, as moves of the first three leave theta alone."""
        key = theta.tobytes()
        if self._latest[0] != key:
            self._latest = key, self.kernel.gram(theta, self._prepared)
        return self._latest[1]


def _range(y):
    """Lowest and highest mean that the values y (n,) allow."""
    return y.min() - SLACK, y.max() + SLACK
