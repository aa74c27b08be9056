"""Agnostic Bayes: models weighted by their probability of being the best (Lacoste et al. 2014, section 3, eq. 5).

The posterior of the risks of t models is sampled; the weight of a model is the fraction of samples in which its risk is
the lowest. Shapes: n validation rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.ensembles.bootstraps import Resampling, in_turn, risks
from bayes_hpo.seeds import Seeds

TOLERANCE = 1e-9  # relative; equal losses summed in a different order may differ by rounding


@runtime_checkable
class RiskPosterior(Protocol):
    """A posterior of the risks of models, given their losses."""

    def samples(self, losses: NDArray, seeds: Seeds) -> Iterator[NDArray]:
        """Yield batches (k, t) of risk samples, given the losses (t, n) of t models."""
        ...


@dataclass(frozen=True)
class Resampled:
    """Risks on resampled validation rows, one sample per resample."""

    resampling: Resampling

    def samples(self, losses: NDArray, seeds: Seeds) -> Iterator[NDArray]:
        """Yield batches of risks (k, t), given losses (t, n)."""
        for drawn in in_turn(self.resampling, losses.shape[1], seeds):
            yield risks(drawn, losses)


@dataclass(frozen=True)
class StudentT:
    """Posterior of the mean of normal losses, under a normal-inverse-Wishart prior for losses in [0, 1].

    Losses of any unit are first divided by the largest of them.
    count: number of samples.
    mean, scale: of the prior, with kappa_0 = 1 and nu_0 = t (docs/decisions.md, ESMBO).
    """

    count: PositiveInt
    mean: float = 0.5
    scale: float = 0.25

    def samples(self, losses: NDArray, seeds: Seeds) -> Iterator[NDArray]:
        """Yield risks (count, t), in units of the largest loss, given losses (t, n)."""
        losses = losses / (losses.max() or 1.0)
        # r ~ t_nu((m0 + n l) / (1 + n), T_n / ((1 + n) nu)), nu = nu_0 + n - t + 1 and
        # T_n = T_0 + sum (l_i - l)(l_i - l)' + n / (1 + n) (m0 - l)(m0 - l)'
        t, n = losses.shape
        center = losses.mean(axis=1)
        apart, shift = losses - center[:, None], self.mean - center
        scatter = self.scale * np.eye(t) + apart @ apart.T + n / (1 + n) * np.outer(shift, shift)
        freedom, rng = n + 1, seeds("risks")
        normal = rng.standard_normal((self.count, t)) @ np.linalg.cholesky(scatter / ((1 + n) * freedom)).T
        spread = np.sqrt(rng.chisquare(freedom, (self.count, 1)) / freedom)
        yield (self.mean + n * center) / (1 + n) + normal / spread


def shares(samples: Iterator[NDArray], eligible: NDArray) -> NDArray:
    """Weight (t,) of each model: the fraction of samples in which its risk is the lowest; weights sum to 1.

    samples: batches (k, t) of risks; models with the same lowest risk share a sample (D10).
    eligible (t,): which models may be chosen; at least one.
    """
    # p(h* = h_i | S) = 1/N sum_j [i in argmin r_j] / |argmin r_j|
    total, count = np.zeros(len(eligible)), 0
    for drawn in samples:
        allowed = np.where(eligible, drawn, np.inf)
        lowest = allowed.min(axis=1, keepdims=True)
        tied = allowed <= lowest + TOLERANCE * np.abs(lowest)
        total += (tied / tied.sum(axis=1, keepdims=True)).sum(axis=0)
        count += len(drawn)
    return total / count
