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
    above = [beta(1 + won, 1 + count - won).sf(0.5) for won in range(count + 1)]
    assert better_on_most_tasks(chances) == pytest.approx(expected @ above)


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
    chances = np.linspace(0.3, 0.72, 2000)
    mean = chances.mean()
    of_tasks = np.sqrt(
        ((chances * (1 - chances)).mean() + mean * (1 - mean)) / 2000
    )  # of wins, and of a share given them
    assert better_on_most_tasks(chances) == pytest.approx(norm.sf(0.5, mean, of_tasks), abs=2e-3)
    assert 0.6 < better_on_most_tasks(chances) < better_on_most(chances) < 0.99


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


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_chance_under_weights_is_a_share_of_the_simplex(n):
    """Of weights ~ Dirichlet(1, ..., 1), P(sum w_i d_i > 0) = sum over d_i > 0 of d_i^(n-1) / prod_j (d_i - d_j)."""
    differences = np.random.default_rng(n).normal(0.3, 1, (6, n))
    apart = differences[:, :, None] - differences[:, None, :] + np.eye(n)
    above = (np.maximum(differences, 0) ** (n - 1) / apart.prod(axis=2)).sum(axis=1)
    chances = chances_by_weights(differences, np.random.default_rng(0))
    np.testing.assert_allclose(chances, 1 - above, atol=0.02)
    assert np.ptp(chances) > 0.3


def test_both_chances_of_zero_one_losses_are_on_the_same_side_of_a_half_and_near_each_other():
    counts = list(product(range(0, 19, 3), repeat=2))
    rows = np.array([apart(*pair) for pair in counts])
    by_rows, by_weights = chances_by_rows(rows), chances_by_weights(rows, np.random.default_rng(0))
    fewer = np.array([np.sign(b - a) for a, b in counts])  # 1 where the first errs less often
    np.testing.assert_array_equal(np.sign(np.round(by_rows - 0.5, 9)), fewer)
    np.testing.assert_array_equal(np.sign(by_weights - 0.5)[fewer != 0], fewer[fewer != 0])
    np.testing.assert_allclose(by_weights[fewer == 0], 0.5, atol=0.02)
    many = np.array([a + b >= 9 for a, b in counts])  # so that the prior counts matter little
    np.testing.assert_allclose(by_weights[many], by_rows[many], atol=0.06)
    certain = np.abs(by_weights - 0.5) - np.abs(by_rows - 0.5)
    assert certain.min() > -0.02  # prior counts lead to a half


@pytest.mark.parametrize("kind", ["zero-one", "values"])
def test_exchanged_methods_have_the_rest_of_the_chance(kind):
    rng = np.random.default_rng(0)
    rows = rng.integers(-1, 2, (5, 30)).astype(float) if kind == "zero-one" else rng.normal(size=(5, 30))
    rows[0] = 0
    np.testing.assert_allclose(chances_by_rows(rows) + chances_by_rows(-rows), 1)
    both = [chances_by_weights(sign * rows, np.random.default_rng(1)) for sign in (1, -1)]
    np.testing.assert_allclose(sum(both), 1)
    np.testing.assert_array_equal([chances_by_rows(rows)[0], both[0][0]], 0.5)


def test_chances_do_not_depend_on_the_unit_of_the_losses():
    rows = np.random.default_rng(0).normal(size=(5, 30))
    for unit in (1e-8, 1e4):
        np.testing.assert_array_equal(chances_by_rows(unit * rows), chances_by_rows(rows))
        both = [chances_by_weights(differences, np.random.default_rng(1)) for differences in (unit * rows, rows)]
        np.testing.assert_allclose(*both, atol=2e-4)


def test_the_size_of_a_difference_counts_for_weights_and_only_its_sign_for_rows():
    narrow = np.concatenate([np.full(30, 0.01), np.full(10, -1.0)])[None]  # the first loses often, and wins by much
    assert chances_by_weights(narrow, np.random.default_rng(0))[0] > 0.99
    assert chances_by_rows(narrow)[0] < 0.01


def test_equal_losses_decide_nothing_and_one_difference_everything(monkeypatch):
    rows = np.array([apart(0, 0), apart(0, 1), apart(1, 0)])
    for held in (poisson_binomial.HELD, 50):
        monkeypatch.setattr(poisson_binomial, "HELD", held)
        np.testing.assert_array_equal(chances_by_weights(rows, np.random.default_rng(0)), [0.5, 1, 0])
