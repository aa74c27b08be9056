"""Laws of sums of terms with random signs, against the enumeration of all signs."""

import itertools

import numpy as np
import pytest

from bayes_hpo.stats.sign_flips import critical, tail

HALVES = [np.random.default_rng(n).integers(-6, 7, n) / 2 for n in range(1, 11)]


def sums(terms):
    """The sums (2**n,) of the terms with all signs."""
    return np.array(list(itertools.product([-1, 1], repeat=len(terms)))) @ np.abs(terms)


@pytest.mark.parametrize("terms", HALVES, ids=len)
def test_tail_is_the_share_of_signs_whose_sum_is_as_large(terms):
    every = sums(terms)
    for total in [terms.sum(), 0, *np.unique(every)]:
        assert tail(terms, total) == pytest.approx((np.abs(every) >= abs(total)).mean())


@pytest.mark.parametrize("level", [0.9, 0.95, 0.996])
@pytest.mark.parametrize("terms", HALVES, ids=len)
def test_a_sum_exceeds_the_critical_one_exactly_where_its_tail_is_small(terms, level):
    for total in np.unique(sums(terms)):
        assert (abs(total) > critical(terms, level)) == (tail(terms, total) <= 1 - level)


def test_the_tail_has_both_sides_and_ends_at_the_sum_of_all():
    terms = np.array([1, 2.5, -2.5, 4])
    assert tail(terms, -3) == tail(terms, 3)
    assert tail(terms, 0) == 1
    assert tail(terms, 10) == 2 / 2**4
    assert tail(terms, 10.5) == 0


def test_nothing_but_zeros_shows_nothing():
    assert tail(np.zeros(5), 0) == 1
    assert critical(np.zeros(5), 0.95) > 0
