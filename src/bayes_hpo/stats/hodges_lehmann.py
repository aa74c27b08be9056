"""Hodges-Lehmann estimate of the shift between paired errors: the median of the means of all pairs of differences."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayes_hpo.stats.ranks import comparable


def hodges_lehmann(differences: ArrayLike) -> NDArray:
    """Median of the n(n + 1) / 2 Walsh averages of each sample.

    differences (..., n), %: differences of paired errors -> (...). All averages are held in memory: pass very many
        samples in batches.
    Raises: ValueError if a difference is missing.
    Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods (3rd ed.), section 3.2.
    """
    return np.median(walsh_averages(differences), axis=-1)


def walsh_averages(differences: ArrayLike) -> NDArray:
    """Walsh averages (d[i] + d[j]) / 2 for i <= j: differences (..., n) -> (..., n(n + 1) / 2)."""
    differences = comparable(differences)
    first, second = np.triu_indices(differences.shape[-1])
    return (differences[..., first] + differences[..., second]) / 2
