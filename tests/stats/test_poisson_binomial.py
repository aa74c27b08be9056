"""The Poisson binomial test: against brute force, a normal limit, and the values of its definition."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, norm

from bayes_hpo.stats import poisson_binomial
from bayes_hpo.stats.poisson_binomial import (
    better_on_most,
    better_on_most_tasks,
    chances_by_rows,
    chances_by_weights,
    wins,
)


def of_rows(a, b, n=40):
    """`chances_by_rows` where the first errs alone on a rows, the second on b."""
    return chances_by_rows(apart(a, b, n)[None])[0]


def apart(a, b, n=40):
    return np.repeat([1.0, -1.0, 0.0], [a, b, n - a - b])


def test_no_disagreement_says_nothing_and_five_errors_of_one_say_much():
    assert of_rows(0, 0) == pytest.approx(0.5)
    assert of_rows(0, 5) == pytest.approx(1 - 2**-6)
    assert of_rows(5, 0) == pytest.approx(2**-6)


@pytest.mark.parametrize(("a", "b"), [(3, 8), (10, 2), (7, 7)])
def test_the_chance_is_that_of_a_share_of_errors_below_a_half(a, b):
    assert of_rows(a, b) == pytest.approx(beta(1 + a, 1 + b).cdf(0.5))
    assert of_rows(a, b) + of_rows(b, a) == pytest.approx(1)


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_wins_are_those_of_all_outcomes(count):
    chances = np.random.default_rng(count).random(count)
    expected = np.zeros(count + 1)
    for outcome in product([0, 1], repeat=count):
        expected[sum(outcome)] += np.prod(np.where(outcome, chances, 1 - chances))
    np.testing.assert_allclose(wins(chances), expected, atol=1e-12)
    half = expected[count // 2] / 2 if count % 2 == 0 else 0
    assert better_on_most(chances) == pytest.approx(expected[count // 2 + 1 :].sum() + half)


@pytest.mark.parametrize("test", [better_on_most, better_on_most_tasks])
@pytest.mark.parametrize("count", [7, 8])
def test_two_methods_share_the_probability(test, count):
    chances = np.random.default_rng(1).random(count)
    assert test(chances) + test(1 - chances) == pytest.approx(1)
    assert test(np.full(count, 0.5)) == pytest.approx(0.5)


def test_many_data_sets_have_a_normal_limit():
    chances = np.random.default_rng(0).uniform(0.3, 0.75, 2000)
    sd = np.sqrt((chances * (1 - chances)).sum())
    assert better_on_most(chances) == pytest.approx(norm.sf(1000, chances.sum(), sd), abs=1e-3)


def test_sure_wins_leave_the_doubt_about_other_tasks():
    sure = np.repeat([1.0, 0.0], [14, 8])
    assert better_on_most(sure) == pytest.approx(1)
    assert better_on_most_tasks(sure) == pytest.approx(1 - beta(15, 9).cdf(0.5))
    assert better_on_most_tasks(sure) < 0.95


def test_weighted_rows_are_disagreements_without_prior_counts():
    """Of zero-one losses the share of errors is Beta(k_A, k_B) under Dirichlet(1, ..., 1) weights."""
    both = np.array([apart(4, 9), -apart(4, 9)])
    found = chances_by_weights(both, np.random.default_rng(0))
    assert found[0] == pytest.approx(beta(4, 9).cdf(0.5), abs=0.015)
    assert found.sum() == pytest.approx(1)


def test_the_size_of_a_difference_counts_for_weights_and_only_its_sign_for_rows():
    narrow = np.concatenate([np.full(30, 0.01), np.full(10, -1.0)])[None]  # the first loses often, and wins by much
    assert chances_by_weights(narrow, np.random.default_rng(0))[0] > 0.99
    assert chances_by_rows(narrow)[0] < 0.01


def test_equal_losses_decide_nothing_and_one_difference_everything(monkeypatch):
    rows = np.array([apart(0, 0), apart(0, 1), apart(1, 0)])
    for held in (poisson_binomial.HELD, 50):
        monkeypatch.setattr(poisson_binomial, "HELD", held)
        np.testing.assert_array_equal(chances_by_weights(rows, np.random.default_rng(0)), [0.5, 1, 0])
