"""Laws of the signed-rank test; the exact p against the enumeration of all signs."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bayes_hpo.stats.wilcoxon import against_best, exact_p_value, p_value, pairwise

BOTH = pytest.mark.parametrize("test", [p_value, exact_p_value])
TIED = np.array([0.2, -0.1, 0.1, 0.4, -0.2, 0.2, 0.5, 0.3, -0.4])


def enumerated(differences):
    """Two-sided p by definition: the share of all signs whose smaller rank sum is as small, n at most about 12."""
    ranks = stats.rankdata(np.abs(differences))
    signs = np.array(list(itertools.product([0, 1], repeat=len(ranks))))  # (2**n, n)
    positive = signs @ ranks
    smaller = np.minimum(positive, ranks.sum() - positive)
    observed = min(ranks[differences > 0].sum(), ranks[differences < 0].sum())
    return (smaller <= observed).mean()


@BOTH
def test_the_other_direction_has_the_same_p(test):
    assert test(-TIED) == test(TIED)


@BOTH
def test_p_depends_on_signs_and_on_the_order_of_sizes_only(test):
    assert test(np.sign(TIED) * np.abs(TIED) ** 3 * 7) == test(TIED)
    assert test(TIED[::-1]) == test(TIED)


@BOTH
def test_zeros_are_dropped(test):
    assert test(np.concatenate([TIED, np.zeros(5)])) == test(TIED)


@BOTH
def test_methods_that_never_differ_have_p_one(test):
    assert test(np.zeros(4)) == test(np.empty(0)) == 1.0


@BOTH
def test_the_order_in_which_repetitions_were_summed_makes_no_difference(test):
    rounding = (0.1 + 0.2 + 0.3) - (0.3 + 0.2 + 0.1)
    assert rounding != 0
    assert test(TIED + rounding) == test(TIED)
    assert test([rounding] * 6) == 1.0


@BOTH
def test_a_missing_difference_is_refused(test):
    with pytest.raises(ValueError, match="every method on every data set"):
        test([0.1, np.nan])


def test_the_approximation_has_no_continuity_correction_and_the_variance_of_tied_ranks():
    ranks = stats.rankdata(np.abs(TIED))
    n, mean = len(TIED), ranks.sum() / 2
    tied = sum(count**3 - count for count in np.unique(ranks, return_counts=True)[1])
    variance = n * (n + 1) * (2 * n + 1) / 24 - tied / 48
    z = (ranks[TIED > 0].sum() - mean) / np.sqrt(variance)
    assert p_value(TIED) == pytest.approx(2 * stats.norm.sf(abs(z)))


@pytest.mark.parametrize("n", range(1, 11))
def test_exact_p_is_the_share_of_signs_that_are_as_extreme(n):
    rng = np.random.default_rng(n)
    for differences in (rng.normal(size=n), rng.integers(1, 4, n) * rng.choice([-1, 1], n)):
        assert exact_p_value(differences) == pytest.approx(enumerated(np.asarray(differences, dtype=float)))


def test_exact_p_of_many_untied_differences_is_scipys():
    differences = np.random.default_rng(3).normal(0.3, 1, 40)
    assert exact_p_value(differences) == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue)


def test_exact_p_of_equal_methods_is_at_most_alpha_in_a_share_alpha_of_cases():
    signs = np.array(list(itertools.product([-1, 1], repeat=8)))
    found = np.sort([exact_p_value(sign * np.arange(1, 9)) for sign in signs])
    share = np.searchsorted(found, found, side="right") / len(found)
    np.testing.assert_allclose(share, found)


def test_the_approximation_comes_close_to_the_exact_p_on_118_data_sets():
    differences = np.random.default_rng(4).normal(0.2, 1, 118)
    assert p_value(differences) == pytest.approx(exact_p_value(differences), rel=0.02)


def test_the_approximation_rejects_equal_methods_at_its_level():
    draws = np.random.default_rng(5).normal(size=(1000, 118))
    rejected = np.mean([p_value(differences) <= 0.05 for differences in draws])
    assert abs(rejected - 0.05) < 3 * np.sqrt(0.05 * 0.95 / 1000)


def test_every_pair_of_methods_is_tested_once():
    errors = pd.DataFrame(np.random.default_rng(6).normal(size=(20, 4)), columns=list("abcd"))
    p = pairwise(errors)
    pd.testing.assert_frame_equal(p, p.T)
    assert p.loc["a", "c"] == p_value(errors["a"] - errors["c"])
    assert np.isnan(np.diag(p)).all()
    assert p.notna().sum(axis=None) == 12


def test_the_best_has_p_one_and_every_other_method_its_p_against_it():
    rng = np.random.default_rng(0)
    errors = pd.DataFrame(np.array([0.0, 1.0, 0.05]) + rng.random((10, 3)), columns=["a", "b", "c"])
    found = against_best(errors)
    assert found["a"] == 1
    assert found["b"] == p_value(errors["b"] - errors["a"]) < 0.01
    assert found["c"] == p_value(errors["c"] - errors["a"])


def test_the_first_of_equal_methods_is_the_best():
    errors = pd.DataFrame({"b": [2.0, 1.0, 3.0], "a": [1.0, 3.0, 2.0], "c": [1.0, 3.0, 2.0]})
    assert against_best(errors).to_dict() == {"b": 1, "a": p_value([1, -2, 1]), "c": p_value([1, -2, 1])}
