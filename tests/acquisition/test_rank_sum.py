"""Laws of rank sums, of their weights along a search, and of the expected minimum diversity."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import norm

from bayes_hpo.acquisition.diversity import MinimumDiversity, sample_members, sample_normal
from bayes_hpo.acquisition.ranks import RankSum, average_ranks, fixed_weight, ordinal_ranks, sigmoid_weight
from bayes_hpo.errors import UserError
from bayes_hpo.search.divbo import some_pairs
from tests.configured import configured


@dataclass(frozen=True)
class Given:
    """A criterion with given values."""

    of_points: np.ndarray

    def values(self, points):
        return self.of_points


@dataclass(frozen=True)
class Known:
    """A predictive distribution whose mean is |theta - x|, with a given deviation."""

    deviation: float

    def moments_between(self, firsts, seconds):
        mean = np.abs(firsts[:, None] - seconds).mean(axis=2)
        return mean, np.full(mean.shape, self.deviation**2)

    def members_between(self, firsts, seconds):
        return self.moments_between(firsts, seconds)[0] + np.array([-0.5, 0.0, 0.5])[:, None, None]


def test_one_is_the_rank_of_the_highest():
    values = np.array([0.1, 0.7, 0.7, -1.0, 0.7])
    np.testing.assert_array_equal(average_ranks(values), [4, 2, 2, 5, 2])
    np.testing.assert_array_equal(ordinal_ranks(values), [4, 1, 2, 5, 3])


def test_the_weight_is_that_of_the_protocol():
    """Section 6, step 7: t = 5 .0116, 10 .0190, 20 .0241, 50 .0250; below beta / 2."""
    weight = partial(sigmoid_weight, beta=0.05, tau=0.2)
    np.testing.assert_allclose([weight(t) for t in (5, 10, 20, 50)], [0.0116, 0.0190, 0.0241, 0.0250], atol=5e-5)
    assert weight(0) == 0
    assert all(weight(t) < weight(t + 1) < 0.025 for t in range(60))
    assert sigmoid_weight(100, beta=0.0, tau=0.2) == sigmoid_weight(100, beta=0.05, tau=0.0) == 0
    assert {fixed_weight(t, weight=0.1) for t in (5, 250)} == {0.1}


def test_a_rank_sum_is_highest_where_the_sum_of_ranks_is_lowest():
    rng = np.random.default_rng(0)
    performance, diversity = rng.random(50), rng.random(50)
    for weight in (0.0, 0.02, 0.5, 3.0):
        by_hand = [
            (performance > performance[i]).sum() + 1 + weight * ((diversity > diversity[i]).sum() + 1)
            for i in range(50)
        ]
        values = RankSum(Given(performance), Given(diversity), weight).values(np.zeros((50, 2)))
        np.testing.assert_allclose(values, -np.array(by_hand))


def test_ranks_of_diversity_are_average_ones_whatever_those_of_performance_are():
    performance, diversity = np.array([0.3, 0.3, 0.9]), np.array([0.5, 0.5, 0.1])
    values = RankSum(Given(performance), Given(diversity), 10.0, ordinal_ranks).values(None)
    np.testing.assert_array_equal(values, [-(2 + 15), -(3 + 15), -(1 + 30)])


def test_without_weight_the_order_is_that_of_performance_and_ties_stay_ties():
    performance = np.random.default_rng(0).integers(0, 5, 40).astype(float)
    diversity = np.random.default_rng(1).random(40)
    values = RankSum(Given(performance), Given(diversity), 0.0).values(None)
    np.testing.assert_array_equal(
        np.unique(values, return_inverse=True)[1], np.unique(performance, return_inverse=True)[1]
    )


def test_ties_of_performance_are_decided_by_diversity_unless_ranks_are_ordinal():
    performance, diversity = np.array([1.0, 2.0, 2.0, 2.0]), np.array([0.9, 0.1, 0.3, 0.2])
    assert RankSum(Given(performance), Given(diversity), 1e-9).values(None).argmax() == 2
    assert RankSum(Given(performance), Given(diversity), 1e-9, ordinal_ranks).values(None).argmax() == 1


def test_a_small_weight_is_a_choice_among_the_best_by_performance():
    """A weight below 1 / m of m candidates only breaks ties; .025 is worth 125 of 5,000 places."""
    rng = np.random.default_rng(0)
    performance, diversity = rng.random(5000), rng.random(5000)
    chosen = RankSum(Given(performance), Given(diversity), 0.025).values(None).argmax()
    assert average_ranks(performance)[chosen] <= 125
    assert RankSum(Given(performance), Given(diversity), 1e-5).values(None).argmax() == performance.argmax()


def test_certain_diversities_have_their_minimum():
    points, members = np.array([[0.2], [0.5], [1.0]]), np.array([[0.0], [0.6]])
    criterion = MinimumDiversity(Known(0.0), members, partial(sample_normal, count=15), np.random.default_rng(0))
    np.testing.assert_allclose(criterion.values(points), [0.2, 0.1, 0.4])


def test_of_one_member_it_is_the_mean_of_a_clipped_normal_variable():
    points, deviation = np.linspace(0, 1, 5)[:, None], 0.3
    criterion = MinimumDiversity(
        Known(deviation), np.zeros((1, 1)), partial(sample_normal, count=40000), np.random.default_rng(0)
    )
    grid = np.linspace(-3, 4, 200001)
    expected = [np.trapezoid(np.clip(grid, 0, 1) * norm.pdf(grid, m, deviation), grid) for m in points[:, 0]]
    np.testing.assert_allclose(criterion.values(points), expected, atol=0.01)


def test_of_two_members_it_is_the_mean_of_the_lower_of_independent_draws():
    members, deviation, rng = np.array([[0.3], [0.7]]), 0.05, np.random.default_rng(0)
    value = MinimumDiversity(Known(deviation), members, partial(sample_normal, count=40000), rng).values(
        np.array([[0.5]])
    )[0]
    assert value == pytest.approx(0.2 - deviation / np.sqrt(np.pi), abs=0.002)  # E min of two normal variables


def test_members_may_be_the_draws():
    criterion = MinimumDiversity(Known(0.0), np.array([[0.0], [0.8]]), sample_members, None)
    lowest = [[0.0, 0.2, 0.7], [0.0, 0.0, 0.5]]  # clipped to [0, 1], minimum over the members of the ensemble
    np.testing.assert_allclose(criterion.values(np.array([[0.2], [0.8]])), np.mean(lowest, axis=1))
    alone = replace(criterion, members=np.zeros((1, 1)))
    np.testing.assert_allclose(alone.values(np.array([[0.8]])), np.mean([0.3, 0.8, 1.0]))


def test_the_number_of_draws_and_their_independence():
    firsts, seconds = np.full((2, 1), 0.5), np.full((200, 1), 0.8)
    drawn = sample_normal(Known(0.01), firsts, seconds, np.random.default_rng(0), count=15)
    assert drawn.shape == (15, 2, 200)
    assert len(np.unique(drawn)) == 6000
    assert abs(np.corrcoef(drawn.reshape(30, 200))[np.triu_indices(30, 1)]).max() < 0.35


@pytest.mark.parametrize(
    ("rule", "settings", "sentence"),
    [
        (sigmoid_weight, {"beta": -0.1, "tau": 0.2}, "rule.beta=-0.1 must be at least 0"),
        (sigmoid_weight, {"beta": 0.1, "tau": -1.0}, "rule.tau=-1 must be at least 0"),
        (fixed_weight, {"weight": -1.0}, "rule.weight=-1 must be at least 0"),
        (sample_normal, {"count": 0}, "rule.count=0 must be at least 1"),
        (some_pairs, {"most": 0}, "rule.most=0 must be at least 1"),
    ],
)
def test_a_setting_off_its_limits_is_told_in_one_sentence(rule, settings, sentence):
    with pytest.raises(UserError, match=sentence):
        configured(rule, "rule", **settings)
