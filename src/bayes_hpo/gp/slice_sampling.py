"""Hyperparameters integrated out by slice sampling, as Spearmint does (thesis, 2.4; Neal 2003)."""

import math
from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import Fault, UserError

MAX_STEPS_OUT = 1000


@dataclass(frozen=True)
class SliceSampling:
    """burn_in: sweeps of a fresh chain before its first sample. samples: how many, one sweep each.

    Raises: UserError for a setting that is too low.
    """

    burn_in: int
    samples: int

    def __post_init__(self):
        if self.burn_in < 0 or self.samples < 1:
            raise UserError(f"burn_in={self.burn_in} must be at least 0 and samples={self.samples} at least 1")

    def fresh(self, model, X, y, rng):
        """States (samples, 3 + p) of a chain that starts from the values y (n,) at X (n, d)."""
        return self._chain(model.start(X, y), model, X, y, rng, self.burn_in + self.samples)[self.burn_in :]

    def continued(self, state, model, X, y, rng):
        """States (samples, 3 + p) of the chain that stands at `state` (3 + p,).

        Standard scores move when a loss is added: the mean is brought back into their range, where it has a density.
        """
        return self._chain(model.within(state, y), model, X, y, rng, self.samples)

    @staticmethod
    def _chain(state, model, X, y, rng, sweeps):
        return sample(state, model.density(X, y), rng, sweeps=sweeps)


def sample(state, log_density, rng, *, sweeps):
    """Continue a chain by `sweeps` sweeps; return its states (sweeps, 3 + p), the latest last.

    One sweep moves mean, amplitude and noise along one random direction, then each of the kernel's hyperparameters in
    random order. Raises: Fault when the chain stands where its density is zero or not finite.
    """
    axes, states = np.eye(len(state)), []
    value = log_density(state)
    if not math.isfinite(value):
        raise Fault(
            f"slice sampling cannot go on from {state.tolist()}, whose log density is {value:g}; "
            "check that every observed loss is finite"
        )
    for _ in range(sweeps):
        joint = np.zeros(len(state))
        joint[:3] = rng.standard_normal(3)
        directions = [joint / np.linalg.norm(joint), *axes[3 + rng.permutation(len(state) - 3)]]
        for direction in directions:
            state, value = slice_move(state, value, direction, log_density, rng)
        states.append(state)
    return np.array(states)


def slice_move(state, value, direction, log_density, rng, width=1.0):
    """Draw the next state on the line through `state` (k,) along `direction` (k,): Neal 2003, figures 3 and 5.

    The bracket of `width` steps out by whole widths, then shrinks to the drawn points that lie below the slice.
    value: log density of `state`. Returns the next state and its log density.
    """
    level = value + math.log1p(-rng.random())

    def at(z):
        return log_density(state + z * direction)

    upper = width * rng.random()
    lower = upper - width
    lower = _step_out(at, level, lower, -width)
    upper = _step_out(at, level, upper, width)
    while (value := at(z := rng.uniform(lower, upper))) < level:
        lower, upper = (z, upper) if z < 0 else (lower, z)
    return state + z * direction, value


def _step_out(at, level, end, step):
    for _ in range(MAX_STEPS_OUT):
        if at(end) < level:
            break
        end += step
    return end
