"""Hyperparameters integrated out by slice sampling (thesis, 2.4; Neal 2003).

Spearmint moves mean, amplitude and noise along one random line and steps brackets out by whole widths. This sampler has
the same stationary density but cheaper moves that mix better (docs/decisions.md, Spearmint): one for each
hyperparameter, two of which need no new Cholesky factor.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import NonNegativeInt, PositiveInt
from bayes_hpo.errors import RunError
from bayes_hpo.surrogates.gp.model import LogDensity, Model
from bayes_hpo.surrogates.gp.priors import log_bracket


@dataclass(frozen=True)
class SliceSampling:
    """Settings of a chain.

    burn_in: number of sweeps that a fresh chain discards.
    samples: number of samples, one per sweep.
    """

    burn_in: NonNegativeInt
    samples: PositiveInt

    def fresh(self, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """States (samples, 3 + p) of a fresh chain, given the values y (n,) at X (n, d)."""
        return sample(model.start(X, y), model.density(X, y), rng, sweeps=self.burn_in + self.samples)[self.burn_in :]

    def continued(self, state: NDArray, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """States (samples, 3 + p) of a chain that continues from `state` (3 + p,).

        Standardized values change when a loss is added, so the mean is first clipped to their range, where it has a
        density.
        """
        return sample(model.within(state, y), model.density(X, y), rng, sweeps=self.samples)


def sample(state: NDArray, density: LogDensity, rng: Generator, *, sweeps: int) -> NDArray:
    """Run a chain on a `LogDensity` for `sweeps` sweeps from `state`; return its states (sweeps, 3 + p), latest last.

    Raises: RunError if the density at `state` is zero or not finite.
    """
    chain = Chain(density, state)
    return np.array([chain.sweep(rng) for _ in range(sweeps)])


class Chain:
    """The current state (3 + p,) of a chain, and the quantities from which its likelihood is computed.

    pairs: covariances (q,) of the kernel for the pairs of each block.
    evidence (n_blocks, 4): `Block.evidence` of each block.
    """

    def __init__(self, density, state):
        value = density(state)
        if not math.isfinite(value):
            raise RunError(
                f"slice sampling cannot go on from {state.tolist()}, whose log density is {value:g}; "
                "check that every observed loss is finite"
            )
        self.density, self.state, self.blocks = density, state.copy(), density.blocks
        self.pairs = [block.kernel.pairs(state[3:], block.prepared) for block in self.blocks]
        self.evidence = np.array([self._evidence(b, state[1], state[2]) for b in range(len(self.blocks))])

    def sweep(self, rng: Generator) -> NDArray:
        """Move mean, scale and noise, then the kernel's hyperparameters in random order; return the state (3 + p,)."""
        self._move_mean(rng)
        self._move_scale(rng)
        self._move_noise(rng)
        for k in rng.permutation(len(self.state) - 3):
            self._move_kernel(k, rng)
        return self.state.copy()

    def log_likelihood(self) -> float:
        """Log marginal likelihood at the current state."""
        return self.density.log_likelihood(self.state[0], self.evidence.sum(axis=0))

    def _move_mean(self, rng):
        # the evidence does not depend on the mean, so this move needs no new Cholesky factor
        evidence = self.evidence.sum(axis=0)
        value, bounds = self.log_likelihood(), self.density.bounds
        self.state[0] = slice_move(
            lambda mean: self.density.log_likelihood(mean, evidence), self.state[0], value, *bounds, rng
        )

    def _move_scale(self, rng):
        # multiplying amplitude and noise by c turns K into c K: log |K|^(1/2) grows by n/2 log c, the quadratic forms
        # are divided by c, and no new Cholesky factor is needed
        log_root, *quadratic = self.evidence.sum(axis=0)
        n, variances, priors = self.density.n, self.state[1:3].copy(), self.density.priors[:2]

        def log_density(z):  # z = log c, added to the logarithms of both variances; 2 z: their log dx/dz
            c = math.exp(z)
            evidence = np.array([log_root + 0.5 * n * z, *(form / c for form in quadratic)])
            prior = sum(prior.log_density(c * v) for prior, v in zip(priors, variances, strict=True))
            return prior + 2 * z + self.density.log_likelihood(self.state[0], evidence)

        bracket = log_bracket(0.0, 0.0, math.inf, rng)
        c = math.exp(slice_move(log_density, 0.0, log_density(0.0), *bracket, rng))
        self.state[1:3] = c * variances
        self.evidence[:, 0] += 0.5 * math.log(c) * np.array([len(block.sides) for block in self.blocks])
        self.evidence[:, 1:] /= c

    def _move_noise(self, rng):
        def log_likelihood(noise):
            self.evidence[:] = [self._evidence(b, self.state[1], noise) for b in range(len(self.blocks))]
            return self.log_likelihood()

        self.state[2] = self._moved(self.density.priors[1], self.state[2], log_likelihood, rng)

    def _move_kernel(self, k, rng):
        # only the blocks whose covariances depend on the k-th hyperparameter need a new Cholesky factor
        lines = [block.kernel.along(k, self.state[3:], block.prepared) for block in self.blocks]
        moved = [b for b, line in enumerate(lines) if line is not None]

        def log_likelihood(value):
            for b in moved:
                self.pairs[b] = lines[b](value)
                self.evidence[b] = self._evidence(b, self.state[1], self.state[2])
            return self.log_likelihood()

        self.state[3 + k] = self._moved(self.density.priors[2 + k], self.state[3 + k], log_likelihood, rng)

    def _moved(self, prior, x, log_likelihood, rng):
        """Draw the next value of a hyperparameter, now at x; log_likelihood is evaluated at the returned value last."""
        # p(z) = prior(x(z)) |dx/dz| times the likelihood
        coordinate = prior.coordinate

        def log_density(z):
            value = coordinate.value(z)
            height = prior.log_density(value) + coordinate.log_slope(z)
            return height if height == -math.inf else height + log_likelihood(value)

        z = coordinate.of(x)
        height = prior.log_density(x) + coordinate.log_slope(z) + self.log_likelihood()
        bracket = coordinate.bracket(z, prior.low, prior.high, rng)
        drawn = slice_move(log_density, z, height, *bracket, rng)
        if drawn != z:
            return coordinate.value(drawn)
        log_likelihood(x)  # the chain stays exactly at x, which value(z) may miss by rounding
        return x

    def _evidence(self, b, amplitude, noise):
        return self.blocks[b].evidence(self.pairs[b], amplitude, noise)


def slice_move(
    log_density: Callable[[float], float], z: float, height: float, low: float, high: float, rng: Generator
) -> float:
    """Slice-sampling update of a scalar chain at z, where the log density is `height` (Neal 2003, figure 5).

    Rejected draws shrink the bracket [low, high], at worst to z, which rounding may put below the slice. log_density is
    evaluated at the returned value last.
    """
    # level = height + log u, u ~ U]0, 1]; then draw from the bracket and shrink it towards z until accepted
    level, drawn = height + math.log1p(-rng.random()), rng.uniform(low, high)
    while not log_density(drawn) >= level and drawn != z:
        low, high = (drawn, high) if drawn < z else (low, drawn)
        drawn = rng.uniform(low, high)
    return drawn
