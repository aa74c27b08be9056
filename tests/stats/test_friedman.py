"""Laws of Friedman's and Nemenyi's tests, and the printed table of Nemenyi's quantiles."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bayes_hpo.documents import published
from bayes_hpo.stats.friedman import critical_difference, friedman
from bayes_hpo.stats.ranks import ranks

# Demsar, JMLR 7 (2006), table 5(a): q at .05 for 2 to 10 methods.
DEMSAR = dict(zip(range(2, 11), [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164], strict=True))


@pytest.fixture
def errors():
    """Errors in percent of 30 data sets and 5 methods, with many ties."""
    return pd.DataFrame(np.random.default_rng(2).integers(0, 6, (30, 5)) / 2, columns=list("abcde"))


def test_friedman_is_the_spread_of_rank_sums_over_what_ties_leave_of_it(errors):
    rank = ranks(errors)
    between = (rank.sum() - 30 * 3).pow(2).sum() / 30
    within = (rank - 3).pow(2).sum(axis=None) / (30 * 4)  # the variance of ranks in a data set: 2.5 without ties
    chi_square, p = friedman(errors)
    assert within < 2.5
    assert chi_square == pytest.approx(between / within)
    assert p == pytest.approx(stats.chi2.sf(chi_square, df=4))


def test_friedman_depends_on_the_order_within_data_sets_only(errors):
    shifted = np.exp(errors.add(np.arange(30), axis=0) / 10)
    assert friedman(shifted[list("cbaed")]) == pytest.approx(friedman(errors))


def test_the_order_in_which_repetitions_were_summed_breaks_no_tie(errors):
    rounding = (0.1 + 0.2 + 0.3) - (0.3 + 0.2 + 0.1)
    assert friedman(errors + rounding * np.arange(5)) == friedman(errors)


def test_methods_that_never_differ_have_p_one():
    rounding = pd.DataFrame([[0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 0.6], [1.0, 1.0, 1.0]])
    assert friedman(rounding) == (0.0, 1.0)


def test_equal_methods_are_rejected_at_the_level_of_the_test():
    draws = np.random.default_rng(3).normal(size=(500, 50, 4))
    rejected = np.mean([friedman(pd.DataFrame(draw))[1] <= 0.05 for draw in draws])
    assert abs(rejected - 0.05) < 3 * np.sqrt(0.05 * 0.95 / 500)


def test_missing_errors_and_fewer_than_three_methods_are_refused(errors):
    with pytest.raises(ValueError, match="every method on every data set"):
        friedman(errors.replace(0.0, np.nan))
    with pytest.raises(ValueError, match="3"):
        friedman(errors[["a", "b"]])


@pytest.mark.parametrize("k", DEMSAR)
def test_critical_differences_have_the_printed_quantiles(k):
    n = 100
    assert critical_difference(k, n) * math.sqrt(6 * n / (k * (k + 1))) == pytest.approx(DEMSAR[k], abs=0.001)


def test_the_range_of_equal_mean_ranks_exceeds_the_critical_difference_in_five_percent():
    k, n, draws = 6, 60, 4000
    errors = np.random.default_rng(4).normal(size=(draws, n, k))
    rank = errors.argsort(axis=2).argsort(axis=2).mean(axis=1) + 1  # (draws, k)
    share = (np.ptp(rank, axis=1) > critical_difference(k, n)).mean()
    assert abs(share - 0.05) < 0.005 + 3 * np.sqrt(0.05 * 0.95 / draws)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("errors", ["holdout", "kfold", ("thesis", "T4_6"), ("thesis", "T5_2"), ("divbo2022", "T1")])
def test_scikit_posthocs_calls_the_same_pairs_significant(errors):
    posthocs = pytest.importorskip("scikit_posthocs", reason="scikit-posthocs is a witness of the extra `test`")
    errors = published.errors(errors)[0] if isinstance(errors, str) else published.mean_errors(*errors)[0]
    rank = ranks(errors).mean().to_numpy()
    ours = np.abs(rank[:, None] - rank) > critical_difference(errors.shape[1], len(errors))
    theirs = posthocs.posthoc_nemenyi_friedman(errors).to_numpy() < 0.05
    np.testing.assert_array_equal(ours, theirs)
    assert ours.any()
