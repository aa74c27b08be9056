"""Hodges and Lehmann's estimate of a shift between paired errors: the median of the means of all pairs of them."""

import functools
import math

import numpy as np

from bayes_hpo.stats.ranks import comparable
from bayes_hpo.stats.wilcoxon import null_cdf


def hodges_lehmann(differences):
    """Median of the n(n + 1) / 2 Walsh averages of each sample.

    differences (..., n) of paired errors, in percent -> (...). All averages are held at once: give very many samples
    in parts. Raises: ValueError when a difference is missing.
    """
    return np.median(_walsh_averages(differences), axis=-1)


def interval(differences, level):
    """(low, high): the shifts that the exact signed-rank test does not reject at 1 - level.

    differences (n,): of paired errors, in percent, as if from a continuous distribution, symmetric about the shift;
    level: of confidence, such as 0.95. Where n is too small to reject any shift at that level, (-inf, inf).
    Raises: ValueError when a difference is missing.
    Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods (3rd ed.), section 3.3.
    """
    averages = np.sort(_walsh_averages(differences))
    rejected = _rejected(len(differences), level)
    if not rejected:
        return -math.inf, math.inf
    return float(averages[rejected - 1]), float(averages[-rejected])


@functools.cache
def _rejected(n, level):
    """How many rank sums, counted from zero, the exact test of n untied differences rejects in its lower tail."""
    cdf = null_cdf(np.arange(1, n + 1))[::2]  # untied rank sums are whole
    return int((cdf <= (1 - level) / 2).sum())


def _walsh_averages(differences):
    """(d[i] + d[j]) / 2 for i <= j: differences (..., n) -> (..., n(n + 1) / 2)."""
    differences = comparable(differences)
    first, second = np.triu_indices(differences.shape[-1])
    return (differences[..., first] + differences[..., second]) / 2
