"""The intervals of the k components of a part: from the deviations of resamples, or exact from random signs."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.stats import bootstrap, sign_flips


def guard(draws: int) -> float:
    """Factor by which an interval from resamples is widened: three Monte Carlo standard errors of a deviation."""
    return float(1 + 3 / np.sqrt(2 * draws))


GUARD = guard(bootstrap.DRAWS)


@dataclass(frozen=True)
class Bootstrapped:
    """Intervals from a bootstrap over families of data sets.

    deviations (k,): standard deviations of the estimates, NaN if unknown.
    families: number of families.
    guard: factor by which an interval is widened before it decides.
    """

    deviations: NDArray
    families: int
    guard: float = GUARD

    def widths(self, level: float) -> NDArray:
        """Half-widths (k,) of the intervals at a confidence level."""
        return bootstrap.quantile(level, self.families) * self.deviations

    def tails(self, away: NDArray) -> NDArray:
        """One-sided probability of an estimate at a distance `away` (k,) from the truth; NaN where nothing varies."""
        with np.errstate(divide="ignore", invalid="ignore"):
            tails = bootstrap.tail(np.where(away == 0, 0.0, away / self.deviations), self.families)
        return np.where(self.deviations == 0, np.nan, tails)


@dataclass(frozen=True)
class Flipped:
    """Intervals of estimates that are sums of signed terms, under random signs of whole families.

    The half-width is the critical value of the exact test of "no difference", wherever the interval is centred.
    terms (n_families, k): multiples of one half.
    units (k,): change of the estimate per unit of its sum of terms.
    """

    terms: NDArray
    units: NDArray
    guard: ClassVar[float] = 1.0

    def widths(self, level: float) -> NDArray:
        """Half-widths (k,) of the intervals at a confidence level."""
        return self.units * sign_flips.critical(self.terms, level)

    def tails(self, away: NDArray) -> NDArray:
        """One-sided probability of an estimate at a distance `away` (k,) above "no difference"."""
        sizes = np.round(2 * away / self.units) / 2
        both = np.array([sign_flips.tail(terms, size) for terms, size in zip(self.terms.T, sizes, strict=True)])
        return np.where(sizes > 0, both / 2, 1 - both / 2)


def by_family(terms: NDArray, families: NDArray) -> NDArray:
    """Sums over the data sets of each family: terms (..., n_datasets, k) -> (..., n_families, k).

    families (..., n_datasets): number of each data set's family, from 0.
    """
    members = families[..., None, :] == np.arange(families.max() + 1)[:, None]  # (..., n_families, n_datasets)
    return members.astype(float) @ terms
