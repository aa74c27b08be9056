"""The intervals of the k components of a part: from the deviations of resamples, or exact from random signs."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.stats import bootstrap, sign_flips


def guard(draws):
    """By how much an interval from so many resamples is widened: three Monte-Carlo standard errors of a deviation."""
    return float(1 + 3 / np.sqrt(2 * draws))


GUARD = guard(bootstrap.DRAWS)


@dataclass(frozen=True)
class Bootstrapped:
    """deviations (k,): of the estimates, NaN where there are none; families: how many there are, of data sets.

    guard: by how much an interval is widened before it decides.
    """

    deviations: np.ndarray
    families: int
    guard: float = GUARD

    def widths(self, level):
        """Half of the intervals (k,) at a level of confidence."""
        return bootstrap.quantile(level, self.families) * self.deviations

    def tails(self, away):
        """Chance, on one side, of an estimate that lies so far (k,) from the truth."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return bootstrap.tail(np.where(away == 0, 0.0, away / self.deviations), self.families)


@dataclass(frozen=True)
class Flipped:
    """Estimates that are sums of signed terms: what they could be if the signs of whole families were random.

    terms (n_families, k): multiples of one half; units (k,): of the estimate, for a term of one.
    An interval holds the estimates that the exact test of "no difference" does not tell apart, wherever it is centred.
    """

    terms: np.ndarray
    units: np.ndarray
    guard = 1.0

    def widths(self, level):
        """Half of the intervals (k,) at a level of confidence."""
        return self.units * sign_flips.critical(self.terms, level)

    def tails(self, away):
        """Chance, on one side, of an estimate that lies so far (k,) above none."""
        sizes = np.round(2 * away / self.units) / 2
        both = np.array([sign_flips.tail(terms, size) for terms, size in zip(self.terms.T, sizes, strict=True)])
        return np.where(sizes > 0, both / 2, 1 - both / 2)


def by_family(terms, families):
    """Sums over the data sets of each family: terms (..., n_datasets, k) -> (..., n_families, k).

    families (..., n_datasets): number of each data set's family, from 0.
    """
    members = families[..., None, :] == np.arange(families.max() + 1)[:, None]  # (..., n_families, n_datasets)
    return members.astype(float) @ terms
