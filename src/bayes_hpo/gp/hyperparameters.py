"""Hyperparameters of the Gaussian process, integrated out by slice sampling as Spearmint does (thesis, 2.4)."""

import math

import numpy as np

from bayes_hpo.errors import Fault
from bayes_hpo.gp.kernels import Matern52
from bayes_hpo.gp.regression import NUGGET, condition, log_likelihood

LONGEST = 2.0  # lengths are uniform on [0, LONGEST]
NOISE_SCALE = 0.1  # of the horseshoe prior
SLACK = 1e-4  # what equal values leave to the start's amplitude and to the mean
MAX_STEPS_OUT = 1000

# A state (3 + d,) holds the mean, the amplitude, the noise (a variance) and the d lengths, in this order.


def start(y, d):
    """State (3 + d,) from which a chain starts, given the values y (n,); docs/decisions.md, Spearmint."""
    return np.concatenate([[y.mean(), y.std() + SLACK, 1e-3], np.ones(d)])


def posteriors(states, X, y):
    """One Posterior per row of states (s, 3 + d), given the values y (n,) at X (n, d)."""
    return [condition(X, y, kernel=Matern52(s[1], s[3:]), mean=s[0], noise=s[2]) for s in states]


def sample(state, X, y, rng, *, sweeps):
    """Continue a chain by `sweeps` sweeps; return its states (sweeps, 3 + d), the latest last.

    One sweep moves mean, amplitude and noise along one random direction, then each length in random order.
    X (n, d), y (n,): the observations. Raises: Fault when the chain stands where its density is zero or not finite.
    """
    log_density = LogDensity(X, y)
    axes = np.eye(len(state))
    states = []
    for _ in range(sweeps):
        joint = np.zeros(len(state))
        joint[:3] = rng.standard_normal(3)
        state = slice_move(state, joint / np.linalg.norm(joint), log_density, rng)
        for dimension in rng.permutation(len(state) - 3):
            state = slice_move(state, axes[3 + dimension], log_density, rng)
        states.append(state)
    return np.array(states)


class LogDensity:
    """Log of the unnormalised posterior density of a state, given the values y (n,) at X (n, d); -inf off its support.

    Priors: mean uniform between the smallest and the largest value (SLACK beyond, or equal values would leave it no
    room), amplitude exp(-(log amp2)^2/2) (D4), noise horseshoe, lengths uniform (docs/decisions.md,
    Spearmint).
    """

    def __init__(self, X, y):
        self.y = y
        self.bounds = y.min() - SLACK, y.max() + SLACK
        self._squares = np.array([np.subtract.outer(x, x) ** 2 for x in X.T])  # (d, n, n)
        self._correlated = None, None

    def __call__(self, state):
        mean, amplitude, noise = state[:3].tolist()
        lengths = state[3:]
        if not (self.bounds[0] <= mean <= self.bounds[1] and amplitude > 0 and noise > 0):
            return -math.inf
        if lengths.min() <= 0 or lengths.max() > LONGEST:
            return -math.inf
        K = amplitude * self._correlations(lengths)
        K.flat[:: len(K) + 1] += NUGGET * amplitude + noise
        horseshoe = math.log(math.log1p((NOISE_SCALE / noise) ** 2))
        return log_likelihood(K, self.y - mean) + horseshoe - 0.5 * math.log(amplitude) ** 2

    def _correlations(self, lengths):
        """Correlations (n, n) at these lengths; the latest are kept, as the joint moves leave the lengths alone."""
        known, correlations = self._correlated
        if known is None or not np.array_equal(known, lengths):
            correlations = Matern52.correlation(np.tensordot(lengths**-2, self._squares, axes=1))
            self._correlated = lengths, correlations
        return correlations


def slice_move(state, direction, log_density, rng, width=1.0):
    """Draw the next state on the line through `state` (k,) along `direction` (k,): Neal 2003, figures 3 and 5.

    The bracket of `width` steps out by whole widths, then shrinks to the drawn points that lie below the slice.
    Raises: Fault when the density of `state` is zero or not finite.
    """
    level = log_density(state) + math.log1p(-rng.random())
    if not math.isfinite(level):
        raise Fault(
            f"slice sampling cannot go on from {state.tolist()}, whose log density is {level:g}; "
            "check that every observed loss is finite"
        )

    def inside(z):
        return log_density(state + z * direction) >= level

    upper = width * rng.random()
    lower = upper - width
    lower = _step_out(inside, lower, -width)
    upper = _step_out(inside, upper, width)
    while not inside(z := rng.uniform(lower, upper)):
        lower, upper = (z, upper) if z < 0 else (lower, z)
    return state + z * direction


def _step_out(inside, end, step):
    for _ in range(MAX_STEPS_OUT):
        if not inside(end):
            break
        end += step
    return end
