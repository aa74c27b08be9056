"""Friedman's test of several methods on the same data sets, and the critical difference of Nemenyi's test."""

import functools
import math

import pandas as pd
from scipy import stats

from bayes_hpo.stats.ranks import comparable


def friedman(errors: pd.DataFrame) -> tuple[float, float]:
    """Friedman's chi-square (n_methods - 1 degrees of freedom, corrected for ties) and its p; (0, 1) if all errors tie.

    errors: frame (n_datasets, n_methods) of unrounded mean errors in percent.
    Raises: ValueError if an error is missing or there are fewer than three methods.
    Source: thesis, sections 4.4.1, 4.4.2 and 5.5.1; uai2016, sections 4.1 and 4.2.
    """
    values = comparable(errors)
    if values.shape[1] > 2 and (values == values[:, :1]).all():
        return 0.0, 1.0  # the tie correction would divide by zero
    result = stats.friedmanchisquare(*values.T)
    return float(result.statistic), float(result.pvalue)


@functools.cache
def critical_chi_square(n_methods: int) -> float:
    """The chi-square above which Friedman's test is significant at .05."""
    return float(stats.chi2.ppf(0.95, n_methods - 1))


@functools.cache
def critical_difference(n_methods: int, n_datasets: int) -> float:
    """The difference of two mean ranks above which Nemenyi's test is significant at .05.

    Source: Demsar, JMLR 7 (2006), section 3.2.2; thesis, figures 4.8, 4.9 and 5.6; uai2016, figures 5 and 6.
    """
    # CD = q sqrt(k (k + 1) / (6 n)), q: quantile of the studentized range divided by sqrt(2)
    q = stats.studentized_range.ppf(0.95, n_methods, math.inf) / math.sqrt(2)
    return float(q * math.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))
