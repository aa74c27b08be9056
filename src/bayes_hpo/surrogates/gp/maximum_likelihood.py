"""Hyperparameters of maximum marginal likelihood (thesis, eq. 2.16): a point estimate instead of samples."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import minimize

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.surrogates.gp.model import Model

LEAST = 1e-6  # lower bound of amplitude and noise, in units of the values' variance
MOST = 1e4  # upper bound of both, in the same units
SHORTEST, LONGEST = 1e-3, 1e3  # bounds of the kernel's hyperparameters, within their priors' support
LOG_VARIANCES, LOG_LENGTHS = (-10, 10), (-10, 5)  # bounds in the code of Lacoste et al. 2014


@dataclass(frozen=True)
class MaximumLikelihood:
    """Multi-start maximization of the marginal likelihood.

    restarts: number of starts, the first at the model's start, the others random; the highest likelihood wins.
    """

    restarts: PositiveInt

    def fresh(self, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """State (1, 3 + p) of the highest likelihood reached, given the values y (n,) at X (n, d).

        The likelihood of constant values has no maximum; their state is the model's start with amplitude 1.
        """
        start = model.start(X, y)
        if not np.ptp(y):
            start[1] = 1.0
            return start[None]
        density, bounds = model.density(X, y), self.bounds(model, X, y)
        low, high = bounds.T
        # maximize over the mean and the logarithms of all other hyperparameters
        drawn = rng.uniform(low, high, (self.restarts - 1, len(low)))
        starts = [np.clip([start[0], *np.log(start[1:])], low, high), *drawn]
        ascents = [_ascent(density, z, bounds) for z in starts]
        return _state(min(ascents, key=lambda ascent: ascent.fun).x)[None]

    def continued(self, state: NDArray, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """As `fresh`: `state` (3 + p,), fitted to earlier values, is no better start than the model's."""
        return self.fresh(model, X, y, rng)

    def bounds(self, model: Model, X: NDArray, y: NDArray) -> NDArray:
        """Bounds (3 + p, 2) of the mean and of the logarithms of all other hyperparameters."""
        size = y.var()
        priors = [parameter.prior for parameter in model.kernel.parameters(X.shape[1])]
        lengths = [(max(prior.low, SHORTEST), min(prior.high, LONGEST)) for prior in priors]
        positive = [(LEAST * size, MOST * size)] * 2 + lengths
        return np.array([(y.min(), y.max()), *np.log(positive)])


class AtMean(MaximumLikelihood):
    """Maximum likelihood with the values' mean as the mean, and the bounds in the code of Lacoste et al. 2014."""

    def bounds(self, model: Model, X: NDArray, y: NDArray) -> NDArray:
        lengths = [LOG_LENGTHS] * len(model.kernel.parameters(X.shape[1]))
        return np.array([(y.mean(), y.mean()), LOG_VARIANCES, LOG_VARIANCES, *lengths])


def _state(coordinates):
    """State (3 + p,) of the coordinates: the mean, and the logarithms of all other hyperparameters."""
    return np.concatenate([coordinates[:1], np.exp(coordinates[1:])])


def _ascent(density, start, bounds):
    def negative(coordinates: NDArray):
        state = _state(coordinates)
        # chain rule: d / d log x = x d / dx, except for the mean
        value, gradient = density.likelihood_and_gradient(state)
        return -value, -gradient * np.concatenate([[1], state[1:]])

    return minimize(negative, start, jac=True, method="L-BFGS-B", bounds=bounds)
