"""Resamples of an experiment and statistics of them: they differ in how often each data set counts."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit  # scipy.stats costs every job a second

from bayes_hpo.stats.hodges_lehmann import walsh_averages
from bayes_hpo.stats.ranks import comparable

DRAWS, SEED = 20_000, 2018
CHUNK = 1_000_000  # numbers held in memory at once


def draw(families: ArrayLike, draws: int = DRAWS, seed: int = SEED) -> NDArray:
    """How often each data set counts in each resample: (draws, n_datasets) of int.

    Whole families of data sets are drawn with replacement, as many as there are, so resamples differ in their number of
    data sets where families differ in size.
    families (n_datasets,): label of each data set's family.
    Source: Davison and Hinkley, Bootstrap Methods (1997), section 3.8, strategy 1.
    """
    labels, family = np.unique(np.asarray(families), return_inverse=True)
    often = np.random.default_rng(seed).multinomial(len(labels), np.full(len(labels), 1 / len(labels)), size=draws)
    return often[:, family]


def quantile(level: float, families: int) -> float:
    """Half the width of an interval in deviations of its estimate: Student's quantile, families - 1 degrees of freedom.

    NaN with fewer than two families, which have no interval.
    """
    return float(stdtrit(families - 1, (1 + level) / 2)) if families > 1 else np.nan


def deviations(resampled: NDArray, families: int) -> NDArray:
    """Standard deviations (k,) of estimates, from their resamples (draws, k); NaN with fewer than two families.

    Resamples vary about their own sample's centre, so less than estimates do: by (families - 1) / families in variance.
    Source: Hesterberg, What Teachers Should Know About the Bootstrap, American Statistician 69 (2015): narrowness bias.
    """
    if families < 2:
        return np.full(resampled.shape[-1], np.nan)
    return resampled.std(axis=0, ddof=1) * np.sqrt(families / (families - 1))


def tail(t: ArrayLike, families: int) -> NDArray:
    """Probability that Student's t with families - 1 degrees of freedom is above t (any shape)."""
    return stdtr(families - 1, -np.asarray(t))


def means(values: NDArray, often: NDArray) -> NDArray:
    """Mean over data sets: values (n, k), often (draws, n) -> (draws, k)."""
    return often @ values / often.sum(axis=1, keepdims=True)


def medians(values: ArrayLike, often: NDArray) -> NDArray:
    """Median over data sets: values (n, k), often (draws, n) -> (draws, k)."""
    each = np.arange(often.shape[1])
    return np.column_stack([_middle(column, each, None, often) for column in np.asarray(values).T])


def hodges_lehmanns(differences: ArrayLike, often: NDArray) -> NDArray:
    """Hodges and Lehmann's centre (`stats.hodges_lehmann`): differences (n, k), often (draws, n) -> (draws, k)."""
    pairs = np.triu_indices(often.shape[1])
    return np.column_stack([_middle(column, *pairs, often) for column in walsh_averages(np.asarray(differences).T)])


def signed_ranks(differences: ArrayLike, often: NDArray) -> NDArray:
    """Wilcoxon's ranks of what is positive minus those of what is negative: (n, k), (draws, n) -> (draws, k).

    As share of the sum of all ranks, zeros dropped, ties sharing their mean rank; 0 where every difference is zero.
    """
    return np.column_stack([_signed_ranks(column, often) for column in comparable(differences).T])


def _signed_ranks(differences, often):
    """`signed_ranks` of one column (n,) -> (draws,)."""
    kept = differences != 0
    _, group = np.unique(np.abs(differences[kept]), return_inverse=True)
    is_in = np.eye(group.max(initial=-1) + 1, dtype=int)[group]  # (n_kept, n_groups): groups of tied differences
    often = often[:, kept]
    tied = often @ is_in  # (draws, n_groups)
    ranks = tied.cumsum(axis=1) - (tied - 1) / 2  # the mean rank of each group
    signed = (often * np.sign(differences[kept])) @ is_in
    count = tied.sum(axis=1)
    return (signed * ranks).sum(axis=1) / np.maximum(count * (count + 1) / 2, 1)


def _middle(values, first, second, often):
    """Median (draws,) of values (m,), each counted as often (draws, n) as its data sets are drawn.

    first, second (m,): numbers of the two data sets of each value, second None where it is of one. Two data sets drawn
    c and d times give c d pairs, one with itself c (c + 1) / 2.
    """
    order = np.argsort(values, kind="stable")
    values, first, second = values[order], first[order], None if second is None else second[order]
    most = often.sum(axis=1).max() ** 2  # above any sum of weights: the smaller their type, the faster
    often, medians = np.ascontiguousarray(often.T, np.min_scalar_type(most)), []  # (n, draws)
    for chunk in np.array_split(often, -(-often.shape[1] * len(values) // CHUNK), axis=1):
        weights = chunk[first]  # (m, draws)
        if second is not None:
            same = first == second
            weights *= chunk[second] + same[:, None]
            weights[same] //= 2
        below = weights.cumsum(axis=0, out=weights)
        total = below[-1]
        # lower and upper median: the first values below or at which half of the total weight lies
        low, high = (below < (total + 1) // 2).sum(axis=0), (below < total // 2 + 1).sum(axis=0)
        medians.append((values[low] + values[high]) / 2)
    return np.concatenate(medians)
