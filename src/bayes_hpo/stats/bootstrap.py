"""Bootstrap over data sets: resamples, given by how often each data set occurs, and statistics of them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit  # importing scipy.stats costs every job a second

from bayes_hpo.stats.hodges_lehmann import walsh_averages
from bayes_hpo.stats.ranks import comparable

DRAWS, SEED = 20_000, 2018
CHUNK = 1_000_000  # numbers held in memory at once


def draw(families: ArrayLike, draws: int = DRAWS, seed: int = SEED) -> NDArray:
    """Counts of each data set in each resample: (draws, n_datasets) of int.

    Whole families of data sets are drawn with replacement, as many as there are, so the number of data sets varies
    between resamples if families differ in size.
    families (n_datasets,): family label of each data set.
    Source: Davison and Hinkley, Bootstrap Methods (1997), section 3.8, strategy 1.
    """
    labels, family = np.unique(np.asarray(families), return_inverse=True)
    often = np.random.default_rng(seed).multinomial(len(labels), np.full(len(labels), 1 / len(labels)), size=draws)
    return often[:, family]


def quantile(level: float, families: int) -> float:
    """Half-width of an interval in standard deviations: Student's quantile with families - 1 degrees of freedom.

    NaN with fewer than two families, which have no interval.
    """
    return float(stdtrit(families - 1, (1 + level) / 2)) if families > 1 else np.nan


def deviations(resampled: NDArray, families: int) -> NDArray:
    """Standard deviations (k,) of estimates, from their resamples (draws, k); NaN with fewer than two families.

    Resamples vary about the centre of their own sample, hence less than estimates do: by the factor (families - 1) /
    families in variance, which is corrected.
    Source: Hesterberg, What Teachers Should Know About the Bootstrap, American Statistician 69 (2015): narrowness bias.
    """
    if families < 2:
        return np.full(resampled.shape[-1], np.nan)
    return resampled.std(axis=0, ddof=1) * np.sqrt(families / (families - 1))


def tail(t: ArrayLike, families: int) -> NDArray:
    """Probability that Student's t with families - 1 degrees of freedom exceeds t (any shape)."""
    return stdtr(families - 1, -np.asarray(t))


def means(values: NDArray, often: NDArray) -> NDArray:
    """Mean over data sets: values (n, k), often (draws, n) -> (draws, k)."""
    # sum_i w_i v_i / sum_i w_i, w_i: how often data set i occurs
    return often @ values / often.sum(axis=1, keepdims=True)


def medians(values: ArrayLike, often: NDArray) -> NDArray:
    """Median over data sets: values (n, k), often (draws, n) -> (draws, k)."""
    each = np.arange(often.shape[1])
    return np.column_stack([_middle(column, each, None, often) for column in np.asarray(values).T])


def hodges_lehmanns(differences: ArrayLike, often: NDArray) -> NDArray:
    """Hodges-Lehmann estimate (`stats.hodges_lehmann`): differences (n, k), often (draws, n) -> (draws, k)."""
    pairs = np.triu_indices(often.shape[1])
    return np.column_stack([_middle(column, *pairs, often) for column in walsh_averages(np.asarray(differences).T)])


def signed_ranks(differences: ArrayLike, often: NDArray) -> NDArray:
    """Sum of Wilcoxon's signed ranks over the sum of all ranks: differences (n, k), often (draws, n) -> (draws, k).

    Zeros are dropped and ties share their mean rank; 0 if every difference is zero.
    """
    return np.column_stack([_signed_ranks(column, often) for column in comparable(differences).T])


def _signed_ranks(differences, often):
    """`signed_ranks` of one column (n,) -> (draws,)."""
    # sum_i sign(d_i) rank_i / (N (N + 1) / 2), N: number of nonzero differences in the resample
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
    """Median (draws,) of values (m,), weighted by how often (draws, n) their data sets are drawn.

    first, second (m,): indices of the two data sets of each value; second is None if each value has a single one. Two
        data sets drawn c and d times give c d pairs, a data set with itself c (c + 1) / 2.
    """
    order = np.argsort(values, kind="stable")
    values, first, second = values[order], first[order], None if second is None else second[order]
    most = often.sum(axis=1).max() ** 2  # bounds any sum of weights: a smaller type is faster
    often, medians = np.ascontiguousarray(often.T, np.min_scalar_type(most)), []  # (n, draws)
    for chunk in np.array_split(often, -(-often.shape[1] * len(values) // CHUNK), axis=1):
        weights = chunk[first]  # (m, draws)
        if second is not None:
            same = first == second
            weights *= chunk[second] + same[:, None]
            weights[same] //= 2
        below = weights.cumsum(axis=0, out=weights)
        total = below[-1]
        # lower and upper median: where the cumulative weight reaches (total + 1) // 2 and total // 2 + 1
        low, high = (below < (total + 1) // 2).sum(axis=0), (below < total // 2 + 1).sum(axis=0)
        medians.append((values[low] + values[high]) / 2)
    return np.concatenate(medians)
