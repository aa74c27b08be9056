"""Laws of the order of labels by which ties of votes are broken (D21)."""

from itertools import combinations

import numpy as np
import pytest
from votes_by_hand import winner

from bayes_hpo.ensembles.combine import Vote, vote
from bayes_hpo.ensembles.ties import Ties, random_order, smallest_label, truth_last
from bayes_hpo.seeds import Seeds

N = 300


def _rng():
    return Seeds("study", "toy", 0)("vote")


@pytest.mark.parametrize("rule", [random_order, smallest_label])
def test_another_class_changes_no_order_of_the_others(rule):
    assert isinstance(rule, Ties)
    for few, many in combinations([1, 2, 3, 7, 26], 2):
        np.testing.assert_array_equal(rule(few, N, _rng()), rule(many, N, _rng())[:few])


def test_of_any_tied_labels_the_first_in_the_rows_order_wins():
    order = random_order(4, N, _rng()).argsort(axis=0)[::-1]  # (4, n) labels, the first of each row first
    for k in (2, 3, 4):
        for tied in combinations(range(4), k):
            found = vote(np.repeat(np.array(tied)[:, None], N, axis=1), np.ones(k), _rng())
            expected = [next(label for label in row if label in tied) for row in order.T]
            np.testing.assert_array_equal(found, expected)


def test_a_label_that_wins_a_tie_of_three_wins_a_tie_of_two_of_them():
    three = vote(np.repeat(np.array([0, 2, 3])[:, None], N, axis=1), np.ones(3), _rng())
    two = vote(np.repeat(np.array([0, 3])[:, None], N, axis=1), np.ones(2), _rng())
    np.testing.assert_array_equal(two[three != 2], three[three != 2])


@pytest.mark.parametrize("combine", [vote, Vote(smallest_label)])
def test_a_permutation_of_the_labels_permutes_the_vote_but_for_ties(combine):
    other = np.array([2, 3, 0, 1])
    labels = np.random.default_rng(0).integers(0, 4, (5, N))
    counts = np.sort([(labels == label).sum(axis=0) for label in range(4)], axis=0)
    tied = counts[-1] == counts[-2]
    one, permuted = combine(labels, np.ones(5), _rng()), combine(other[labels], np.ones(5), _rng())
    np.testing.assert_array_equal(permuted[~tied], other[one][~tied])
    assert (permuted != other[one]).any()


def test_every_order_is_as_frequent_as_another():
    orders = random_order(3, 60_000, _rng()).argsort(axis=0).T
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 6
    assert np.abs(counts / 60_000 - 1 / 6).max() < 5 * np.sqrt(1 / 6 / 60_000)


@pytest.mark.parametrize(("combine", "rule"), [(vote, random_order), (Vote(smallest_label), smallest_label)])
def test_a_rule_of_combination_is_the_vote_under_the_order_of_its_name(combine, rule):
    labels = np.random.default_rng(0).integers(0, 4, (4, N))
    priority = rule(4, N, _rng())
    expected = [winner(labels[:, row].tolist(), priority[:, row]) for row in range(N)]
    np.testing.assert_array_equal(combine(labels, np.ones(4), _rng()), expected)


def test_with_the_truth_last_every_tie_is_an_error():
    truth = np.random.default_rng(0).integers(0, 3, N)
    priority = truth_last(truth, 3)
    assert (priority.argmin(axis=0) == truth).all()
    assert [winner([0, 1, 2], priority[:, row]) != truth[row] for row in range(N)] == [True] * N
