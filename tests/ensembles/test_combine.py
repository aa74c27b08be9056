"""Laws of the rules that combine predictions."""

from itertools import permutations

import numpy as np
import pytest

from bayes_hpo.ensembles.combine import LinearStacker, Vote, mean, only, probable_vote, vote
from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.ensembles.ties import smallest_label
from bayes_hpo.errors import RunError

RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 3, (5, 200))
VALUES = RNG.normal(size=(4, 200))
WEIGHTS = np.array([1.0, 2.0, 0.0, 1.0, 3.0])


def test_the_only_member_is_what_an_ensemble_of_one_predicts_whatever_the_kind():
    for predictions in (LABELS[0], VALUES[0], RNG.random((200, 3))):
        assert Ensemble.single({"C": 1.0}, 3).combined(predictions[None], None) is not None
        np.testing.assert_array_equal(Ensemble.single({"C": 1.0}, 3).combined(predictions[None], None), predictions)
    with pytest.raises(ValueError, match="too many values"):
        only(LABELS, WEIGHTS, None)


def test_of_classes_that_lead_the_first_wins_and_elsewhere_both_votes_agree():
    first = Vote(smallest_label)(LABELS, WEIGHTS, None)
    counts = np.array([((label == LABELS) * WEIGHTS[:, None]).sum(axis=0) for label in range(3)])
    np.testing.assert_array_equal(first, counts.argmax(axis=0))
    alone = (counts == counts.max(axis=0)).sum(axis=0) == 1
    assert not alone.all()
    np.testing.assert_array_equal(vote(LABELS, WEIGHTS, RNG)[alone], first[alone])


@pytest.mark.parametrize("order", [*permutations(range(4))])
def test_weights_that_sum_to_a_tie_up_to_rounding_are_a_tie(order):
    labels, weights = np.array([[1, 0], [1, 0], [0, 1], [2, 2]])[list(order)], np.array([0.1, 0.2, 0.3, 0.05])
    assert weights[0] + weights[1] > weights[2]  # by a rounding error
    np.testing.assert_array_equal(Vote(smallest_label)(labels, weights[list(order)], None), [0, 0])
    of_first = [vote(labels, weights[list(order)], np.random.default_rng(seed))[0] for seed in range(200)]
    assert set(of_first) == {0, 1}
    assert 0.35 < np.mean(of_first) < 0.65  # the random rule for ties


def test_a_lead_above_rounding_is_no_tie():
    labels = np.array([[1], [0]])
    for more in (1e-6, 1e-3):
        assert Vote(smallest_label)(labels, np.array([1 + more, 1.0]), None) == 1
        assert vote(labels, np.array([1e-7 * (1 + more), 1e-7]), RNG) == 1


def test_votes_by_shares_of_75_bootstraps_are_those_of_whole_numbers():
    rng, ties = np.random.default_rng(1), 0
    for _ in range(50):
        counts = np.bincount(rng.integers(6, size=75), minlength=6)
        labels = rng.integers(0, 3, (6, 64))
        votes = np.array([((labels == label) * counts[:, None]).sum(axis=0) for label in range(3)])
        shares, orders = counts / 75, [np.random.default_rng(2) for _ in range(2)]
        np.testing.assert_array_equal(Vote(smallest_label)(labels, shares, None), votes.argmax(axis=0))
        np.testing.assert_array_equal(vote(labels, shares, orders[0]), vote(labels, 1.0 * counts, orders[1]))
        ties += ((votes == votes.max(axis=0)).sum(axis=0) > 1).sum()
    assert ties > 50


def test_a_mean_is_that_of_so_many_members_as_their_weights_say():
    weights = np.array([2.0, 1.0, 0.0, 1.0])
    np.testing.assert_allclose(mean(VALUES, weights, None), VALUES[[0, 0, 1, 3]].mean(axis=0))
    probabilities = RNG.dirichlet(np.ones(3), size=(4, 50))
    found = mean(probabilities, weights, None)
    assert found.shape == (50, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_a_fitted_stacker_finds_the_linear_model_that_made_the_truth():
    slopes = np.array([0.5, -1.0, 0.0, 2.0])
    stacker = LinearStacker.fit(VALUES, 3.0 + slopes @ VALUES)
    np.testing.assert_allclose(stacker.intercept, 3.0)
    np.testing.assert_allclose(stacker.slopes, slopes, atol=1e-12)
    members = tuple(Member({"C": float(i)}) for i in range(4))
    other = RNG.normal(size=(4, 7))
    np.testing.assert_allclose(Ensemble(members, stacker).combined(other, None), 3.0 + slopes @ other)


@pytest.mark.parametrize("combine", [mean, probable_vote])
@pytest.mark.parametrize("dtype", ["int64", "uint8"])
def test_labels_have_no_mean_and_are_refused_in_one_sentence(combine, dtype):
    """Labels 0 and 2 would have the mean 1, a class for which nobody has voted."""
    with pytest.raises(RunError, match="the models of this study predict labels; choose a selector") as it:
        combine(LABELS.astype(dtype), WEIGHTS, None)
    assert "\n" not in str(it.value)


@pytest.mark.parametrize("rule", [vote, Vote(smallest_label)])
def test_one_vote_more_for_what_the_ensemble_predicts_changes_nothing(rule):
    for seed in range(20):
        labels = np.random.default_rng(seed).integers(0, 4, (seed % 6 + 1, 100))
        own = rule(labels, np.ones(len(labels)), np.random.default_rng(9))
        more = np.vstack([labels, own])
        np.testing.assert_array_equal(rule(more, np.ones(len(more)), np.random.default_rng(9)), own)
