"""Kendall's tau by a loop over pairs, and the share of errors above a mean by hand."""

from itertools import combinations

import numpy as np
import pytest

from bayes_hpo.stats.ranks import kendall, share_above_mean


@pytest.mark.parametrize("levels", [3, 1000])
def test_it_counts_pairs_in_the_same_and_in_opposite_orders(levels):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, levels, (2, 30))
    signs = [(np.sign(a[i] - a[j]), np.sign(b[i] - b[j])) for i, j in combinations(range(30), 2)]
    difference = sum(x * y for x, y in signs)
    expected = difference / np.sqrt(sum(x != 0 for x, _ in signs) * sum(y != 0 for _, y in signs))
    assert kendall(a, b) == pytest.approx(expected)


def test_it_is_one_for_the_same_order_minus_one_for_the_opposite_and_unknown_for_a_constant():
    a = np.array([0.1, 0.5, 0.2, 0.9])
    assert kendall(a, a**3) == pytest.approx(1)
    assert kendall(a, -a) == pytest.approx(-1)
    assert np.isnan(kendall(a, np.ones(4)))


def test_the_share_above_a_mean_counts_failures_among_the_errors_and_in_no_mean():
    nan = np.nan
    assert share_above_mean([0.2, 0.3, 0.4, nan], [0.2, nan, 0.4]) == 0.5  # .4 and the failure are above .3
    assert share_above_mean([nan, nan], [1.0]) == 1
    assert share_above_mean([0.1, nan], [nan, nan]) == 0
