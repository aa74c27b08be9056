"""Laws of the majority vote."""

from itertools import permutations

import numpy as np
import pytest

from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.seeds import Seeds

N = 400
LABELS = np.random.default_rng(0).integers(0, 4, (5, N))


def _rng():
    return Seeds("study", "toy", 0)("vote")


def _ensemble(*weights):
    return Ensemble(tuple(Member({"C": float(i)}, weight) for i, weight in enumerate(weights)))


def test_an_ensemble_of_one_votes_as_its_member():
    for labels in LABELS:
        np.testing.assert_array_equal(Ensemble.single({"C": 1.0}, 3).combined(labels[None], _rng()), labels)


def test_the_majority_wins():
    labels = np.array([[0, 2, 1], [0, 2, 0], [1, 0, 1]])
    np.testing.assert_array_equal(_ensemble(1, 1, 1).combined(labels, _rng()), [0, 2, 1])


def test_weights_count_as_so_many_members():
    twice = _ensemble(2, 1, 1).combined(LABELS[:3], _rng())
    np.testing.assert_array_equal(twice, _ensemble(1, 1, 1, 1).combined(LABELS[[0, 0, 1, 2]], _rng()))


def test_a_member_without_weight_does_not_count():
    np.testing.assert_array_equal(_ensemble(1, 0).combined(LABELS[:2], _rng()), LABELS[0])


def test_the_order_of_the_members_does_not_count():
    votes = [_ensemble(1, 1, 1, 1).combined(LABELS[list(order)], _rng()) for order in permutations(range(4))]
    assert all((vote == votes[0]).all() for vote in votes)


def test_only_leaders_win():
    winner = _ensemble(1, 1, 1, 1, 1).combined(LABELS, _rng())
    counts = np.array([(label == LABELS).sum(axis=0) for label in range(4)])
    assert (counts[winner, np.arange(N)] == counts.max(axis=0)).all()


def test_a_tie_falls_alike_whatever_the_other_labels():
    """Row i is a tie of classes 0 and 2 in two ensembles that differ elsewhere: the same one wins."""
    tie = np.array([np.zeros(N, dtype=int), np.full(N, 2)])
    one = _ensemble(1, 1).combined(tie, _rng())
    more = _ensemble(1, 1, 1, 1).combined(np.vstack([tie, tie]), _rng())
    other = np.vstack([tie[::-1], np.full(N, 1), np.full(N, 3), tie[::-1]])  # with two losers
    mixed = other.copy()
    mixed[:, ::2] = LABELS[0, ::2]  # other rows are unanimous
    np.testing.assert_array_equal(one, more)
    np.testing.assert_array_equal(one, _ensemble(1, 1, 1, 1, 1, 1).combined(other, _rng()))
    np.testing.assert_array_equal(one[1::2], _ensemble(1, 1, 1, 1, 1, 1).combined(mixed, _rng())[1::2])


@pytest.mark.parametrize("k", [2, 3, 5])
def test_every_leader_wins_a_tie_as_often_as_another(k):
    labels = np.repeat(np.arange(k)[:, None], 6000, axis=1)
    times = np.bincount(_ensemble(*[1] * k).combined(labels, _rng()), minlength=k)
    assert np.abs(times / 6000 - 1 / k).max() < 5 * np.sqrt(0.25 / 6000)


@pytest.mark.parametrize("label", [0, 1, 254, 255, 300])
def test_labels_of_any_size_are_counted(label):
    labels = np.full((3, 2), label, dtype=np.min_scalar_type(label))
    np.testing.assert_array_equal(_ensemble(1, 1, 1).combined(labels, _rng()), [label, label])


def test_fractions_that_are_equal_on_paper_tie():
    labels = np.repeat(np.array([0, 0, 0, 1])[:, None], 2000, axis=1)
    winner = _ensemble(0.1, 0.1, 0.1, 0.3).combined(labels, _rng())
    assert 0.4 < winner.mean() < 0.6
