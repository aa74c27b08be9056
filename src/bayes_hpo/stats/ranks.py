"""Ranks, win rates and spreads of mean errors over data sets, as in chapter 3 of the thesis.

Also measures of agreement of Shen et al. 2022 (4.1, 4.3): Kendall's tau, and the fraction of errors above a mean.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import kendalltau


def comparable(errors: ArrayLike) -> NDArray:
    """Errors, or differences of errors, as an array rounded to 9 decimals, in which equal values are equal bit for bit.

    errors: frame or array of any shape, in percent or as fractions. Raises: ValueError if one is missing.
    """
    values = np.asarray(errors, dtype=float)
    if np.isnan(values).any():
        raise ValueError("statistics need the error of every method on every data set")
    # sums in a different order differ in the last bits; the smallest real difference is one test row in all repetitions
    return np.round(values, 9)


def per_highest(errors: pd.DataFrame) -> pd.DataFrame:
    """Errors (n, k) divided by the highest absolute value of their row, so that ties do not depend on the unit."""
    highest = errors.abs().max(axis=1)
    return errors.div(highest.where(highest > 0, 1.0), axis=0)


def ranks(errors: pd.DataFrame) -> pd.DataFrame:
    """Rank of each method on each data set: 1 is best, ties share their mean rank.

    errors: frame (n_datasets, n_methods) of unrounded mean errors, any unit; the result has the same shape.
    Raises: ValueError if an error is missing. Source: thesis, eq. 3.9 and 3.10.
    """
    return pd.DataFrame(comparable(errors), index=errors.index, columns=errors.columns).rank(axis=1)


def win_rate(rank: pd.Series, n_methods: int) -> pd.Series:
    """Percentage of comparisons won by a method with this mean rank; the comparison with itself counts as a draw.

    Source: thesis, tables 3.1 and 3.5 as printed; eq. 3.11 as printed is the complement (a loss rate).
    """
    return 100 * (1 - (rank - 0.5) / n_methods)


def interquartile_range(errors: pd.DataFrame) -> pd.Series:
    """Q3 - Q1 over data sets of each column of errors (n_datasets, n_methods), with linear interpolation (D38)."""
    return errors.quantile(0.75) - errors.quantile(0.25)


def summary(errors: pd.DataFrame) -> pd.DataFrame:
    """Columns median, iqr (unit of `errors`), win_rate (percent) and rank, one row per method.

    errors: frame (n_datasets, n_methods) of unrounded mean errors. Raises: ValueError if an error is missing.
    Source: thesis, table 3.1.
    """
    rank = ranks(errors).mean()
    return pd.DataFrame(
        {
            "median": errors.median(),
            "iqr": interquartile_range(errors),
            "win_rate": win_rate(rank, errors.shape[1]),
            "rank": rank,
        }
    )


def kendall(first: NDArray, second: NDArray) -> float:
    """Kendall's tau of two arrays (m,), in [-1, 1]; NaN if one of them is constant.

    tau_b = (P - Q) / sqrt((P + Q + T) (P + Q + U)): P concordant and Q discordant pairs, T pairs tied in the first
    array only, U in the second only. Source: Shen et al. 2022, 4.1.
    """
    return float(kendalltau(first, second).statistic)


def share_above_mean(errors: ArrayLike, others: ArrayLike) -> float:
    """Fraction of the errors (n,) above the mean of the others (m,), in [0, 1]; a failed trial has the error NaN.

    A failed trial counts as above the mean, and does not enter it; if all others have failed, the fraction is 0.
    Source: Shen et al. 2022, 4.3 (D28).
    """
    values, rest = np.asarray(errors, dtype=float), np.asarray(others, dtype=float)
    return float(np.mean(~(values <= np.nanmean(rest)))) if np.isfinite(rest).any() else 0.0
