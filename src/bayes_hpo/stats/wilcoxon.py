"""Wilcoxon's two-sided signed-rank test of paired errors: the documents' normal approximation, and the exact test."""

import itertools
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr
from scipy.stats import rankdata

from bayes_hpo.stats import sign_flips
from bayes_hpo.stats.ranks import comparable

LEVEL = 0.05  # significance level of all tests in the documents


def p_value(differences: ArrayLike) -> NDArray:
    """p of the normal approximation, zeros dropped, tie-corrected, without continuity correction; 1 if all are zero.

    differences (..., n), %: differences of paired errors -> (...). Raises: ValueError if one is missing.
    Source: thesis, tables 3.2 to 3.4, 4.3, 4.5, 5.3 and uai2016, tables 3 and 5; this variant of the test reproduces
    the printed values (docs/statistics.md).
    """
    ranks = signed(differences)
    # z = |sum of r| / sqrt(sum of r^2), r: signed ranks; the deviation is corrected for ties
    deviation = np.sqrt((ranks**2).sum(axis=-1))
    z = np.abs(ranks.sum(axis=-1)) / np.where(deviation > 0, deviation, 1)
    return 2 * ndtr(-z)


def exact_p_value(differences: ArrayLike) -> float:
    """p over all 2**n signs of the nonzero differences, ties sharing their mean rank; 1 if all are zero.

    differences (n,), %: differences of paired errors. Raises: ValueError if one is missing.
    """
    terms = signed(differences)
    return sign_flips.tail(terms, terms.sum())


def pairwise(errors: pd.DataFrame, p_of: Callable = p_value) -> pd.DataFrame:
    """p of every pair of methods: symmetric frame (n_methods, n_methods), NaN on the diagonal.

    errors: frame (n_datasets, n_methods) of unrounded mean errors in percent.
    p_of: p_value or exact_p_value.
    Raises: ValueError if an error is missing.
    """
    p = pd.DataFrame(np.nan, index=errors.columns, columns=errors.columns)
    for first, second in itertools.combinations(errors.columns, 2):
        p.loc[first, second] = p.loc[second, first] = p_of(errors[first] - errors[second])
    return p


def against_best(errors: pd.DataFrame, p_of: Callable = p_value) -> pd.Series:
    """p of every method against the one with the lowest mean, the first of equals: series (n_methods,), 1 for that one.

    errors: frame (n_repetitions, n_methods) of one data set, in percent.
    p_of: p_value or exact_p_value.
    Raises: ValueError if an error is missing. Source: thesis, tables 4.4, 4.6 and 5.2; uai2016, tables 2 and 4.
    """
    best = errors.columns[comparable(errors).mean(axis=0).round(9).argmin()]
    return pd.Series({name: p_of(errors[name] - errors[best]) for name in errors})


def signed(differences: ArrayLike) -> NDArray:
    """Signed ranks (..., n) of differences (..., n) of paired errors; 0 for dropped zeros, ties share their mean rank.

    Raises: ValueError if one is missing.
    """
    values = comparable(differences)
    zeros = (values == 0).sum(axis=-1, keepdims=True)
    return np.sign(values) * (rankdata(np.abs(values), axis=-1) - zeros)


def signed_ranks(differences: ArrayLike) -> NDArray:
    """Sum of the signed ranks of differences (..., n) of paired errors over the sum of all ranks -> (...).

    0 if every difference is zero. Raises: ValueError if one is missing.
    """
    ranks = signed(differences)
    return ranks.sum(axis=-1) / np.maximum(np.abs(ranks).sum(axis=-1), 1)
