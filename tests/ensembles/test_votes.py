"""Stored predictions as votes: which trials and rows, the order of tied labels, the choice among candidates."""

from dataclasses import replace

import numpy as np
import pytest
from votes_by_hand import history_of, pool_of, random_pool, winner

from bayes_hpo.ensembles.losses import margin, squared_margin, zero_one
from bayes_hpo.ensembles.ties import smallest_label
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.errors import RunError
from bayes_hpo.pool import History, Truth
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)


def _vote(votes, members):
    """(n,) labels of the vote of the members, row by row."""
    labels = votes.labels[list(members)]
    return np.array([winner(labels[:, row].tolist(), votes.priority[:, row]) for row in range(labels.shape[1])])


def test_every_row_of_every_finished_trial_is_a_vote():
    pool = random_pool(0, failed={2})
    votes = StoredVotes.of(pool.history, SEEDS)
    assert len(votes) == 10
    assert votes.finished.tolist() == [t != 2 for t in range(10)]
    for t in set(range(10)) - {2}:
        np.testing.assert_array_equal(votes.labels[t], pool[t].predictions)
    np.testing.assert_array_equal(votes.losses, pool.history.losses)
    np.testing.assert_array_equal(votes.counts([0, 5, 5]).sum(axis=0), 3)
    np.testing.assert_array_equal(votes.counts([]), 0)


def test_the_order_of_tied_labels_is_that_of_the_repetition_whatever_has_been_voted_for():
    """A history in which nobody has voted for the last class has the same orders of the others."""
    pool = random_pool(0, n_classes=4)
    long, other = StoredVotes.of(pool.history, SEEDS), StoredVotes.of(random_pool(9, n_classes=4).history, SEEDS)
    np.testing.assert_array_equal(long.priority, other.priority)
    few = history_of([np.minimum(pool[0].predictions, 2)], np.minimum(pool.truth.y, 2), pool.truth.folds)
    np.testing.assert_array_equal(StoredVotes.of(few, SEEDS).priority, long.priority[:3])
    repetition = StoredVotes.of(pool.history, replace(SEEDS, repetition=1))
    assert (repetition.priority != long.priority).all()


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6, 12])
def test_the_ensembles_own_vote_never_changes_the_vote(size):
    for seed in range(10):
        votes = StoredVotes.of(random_pool(seed, n_classes=4).history, SEEDS)
        members = np.random.default_rng(seed).integers(0, 10, size)
        own = _vote(votes, members)
        with_own = replace(votes, labels=np.vstack([votes.labels, own]))
        np.testing.assert_array_equal(_vote(with_own, [*members, 10]), own)
        # and the vectorised loss, which never forms the vote, agrees
        wrong = np.mean([(own != votes.truth)[votes.folds == fold].mean() for fold in np.unique(votes.folds)])
        np.testing.assert_allclose(with_own.loss(zero_one, [*members, 10]), wrong)


def test_a_history_without_trials_has_votes_for_none():
    pool = random_pool(0)
    votes = StoredVotes.of(pool.history[:0], SEEDS)
    assert len(votes) == 0
    assert zero_one(votes.extended([], [])).shape == (0,)


def test_the_first_trials_are_those_of_a_shorter_history():
    history = random_pool(0, failed={3}).history
    votes = StoredVotes.of(history, SEEDS)
    for t in range(11):
        assert votes.begins_with(StoredVotes.of(history[:t], SEEDS))
    others = [random_pool(1).history[:4], random_pool(0).history[:4], random_pool(0, n_folds=1, failed={3}).history[:4]]
    assert not any(votes.begins_with(StoredVotes.of(other, SEEDS)) for other in others)
    assert not votes.begins_with(StoredVotes.of(history[:4], replace(SEEDS, repetition=1)))
    assert not votes[:4].begins_with(votes)


def test_the_lowest_loss_wins_then_the_next_loss_then_the_own_error_then_the_earlier():
    #                      E      a: fixes row 0, b: too, c: too and right elsewhere, d: as c, e: fixes nothing
    labels = [[1, 1, 0, 0, 0], [0, 1, 0, 1, 1], [0, 1, 0, 1, 0], [0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [1, 1, 0, 0, 0]]
    votes = StoredVotes.of(history_of(labels, np.zeros(5)), SEEDS, smallest_label)
    every = np.arange(1, 6)
    np.testing.assert_allclose(zero_one(votes.extended([0], every)), [0.2, 0.2, 0.2, 0.2, 0.4])
    assert votes.best([0], every, zero_one) == 3  # by its own error, then the earlier of 3 and 4
    assert votes.best([0], every[::-1], zero_one) == 4  # the first of those that are offered
    assert votes.best([0], np.array([1, 2, 5]), zero_one, squared_margin) == 2
    worse = replace(votes, losses=np.array([0.4, 0.1, 0.2, 0.3, 0.3, 0.4]))
    assert worse.best([0], every, zero_one) == 1
    assert worse.best([0], every, zero_one, margin) == 3  # the second loss goes before the own error


def test_losses_that_differ_by_a_rounding_error_are_tied():
    """No and three errors in two folds of ten rows, or one and two: .15 on paper."""
    labels = np.zeros((2, 20), dtype=int)
    labels[0, [10, 11, 12]], labels[1, [0, 10, 11]] = 1, 1
    votes = StoredVotes.of(history_of(labels, np.zeros(20), np.repeat([0, 1], 10)), SEEDS)
    assert np.diff(zero_one(votes.extended([], [0, 1]))) > 0
    assert replace(votes, losses=np.array([0.2, 0.1])).best([], np.arange(2), zero_one) == 1
    assert replace(votes, losses=np.array([0.1, 0.1])).best([], np.arange(2), zero_one) == 0


def _without_predictions(pool):
    return [replace(trial, predictions=None) for trial in pool]


def test_a_pool_without_stored_predictions_is_refused_in_one_sentence():
    pool = random_pool(0)
    for history in (History(pool.trials), History(_without_predictions(pool), pool.truth)):
        with pytest.raises(RunError, match="stores no predictions; give its study evaluation: predictions") as caught:
            StoredVotes.of(history, SEEDS)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [np.float32, "probabilities", "fewer rows"])
def test_predictions_that_are_no_labels_are_refused_in_one_sentence(kind):
    pool = pool_of([[0, 1, 0], [0, 0, 0]], [0, 1, 1])
    wrong = {"probabilities": np.full((3, 2), 0.5), "fewer rows": np.array([0, 1])}.get(kind, np.zeros(3, np.float32))
    history = History([pool[0], replace(pool[1], predictions=wrong)], pool.truth)
    with pytest.raises(RunError, match="not labels of the validation rows; a vote needs task: classification"):
        StoredVotes.of(history, SEEDS)


def test_truth_in_values_is_refused():
    pool = pool_of([[0, 1, 0]], [0, 1, 1])
    values = Truth(pool.truth.y.astype(float), pool.truth.folds)
    for trials in ([], [replace(pool[0], predictions=np.zeros(3))], list(pool)):
        with pytest.raises(RunError, match="not labels"):
            StoredVotes.of(History(trials, values), SEEDS)
