"""Laws of stored probabilities and of the ensembles that average them: everything by loops that can be read."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from probable_pools import probable_pool, random_probabilities
from votes_by_hand import random_pool

from bayes_hpo.ensembles.greedy import Distinct, Forward, RandomTies
from bayes_hpo.ensembles.probabilities import StoredProbabilities, cross_entropy, labelled, zero_one
from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.pool import History, Truth
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)


def _stored(seed=0, **given):
    return StoredProbabilities.of(random_probabilities(seed, **given).history)


def _loss_by_hand(stored, members, name="zero_one"):
    """The loss of the mean of the members' probabilities, row by row and fold by fold."""
    of_folds = []
    for fold in sorted(set(stored.folds.tolist())):
        losses = []
        for row in np.flatnonzero(stored.folds == fold):
            mean = np.mean([stored.values[member, row].astype(float) for member in members], axis=0)
            wrong = max(range(len(mean)), key=lambda label: (mean[label], -label)) != stored.truth[row]
            losses.append(
                wrong if name == "zero_one" else -np.log(max(mean[stored.truth[row]], float(np.finfo("f4").eps)))
            )
        of_folds.append(np.mean(losses))
    return np.mean(of_folds)


@pytest.mark.parametrize("n_folds", [1, 3])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("loss", [zero_one, cross_entropy])
def test_the_losses_of_extended_ensembles_are_those_of_the_slow_loop(loss, n_classes, n_folds):
    stored, rng = _stored(n_classes=n_classes, n_folds=n_folds, failed={2}), np.random.default_rng(1)
    candidates = np.array([5, 0, 1, 7])
    for size in range(4):
        members = rng.choice([0, 1, 3, 4, 5, 6, 7], size).tolist()
        expected = [_loss_by_hand(stored, [*members, h], loss.__name__) for h in candidates]
        np.testing.assert_allclose(loss(stored.extended(members, candidates)), expected, rtol=1e-12)
        np.testing.assert_allclose(stored.loss(loss, [*members, 0]), expected[1], rtol=1e-12)


def test_of_equally_probable_classes_the_first_is_decided():
    pool = probable_pool([[[0.5, 0.5], [0.5, 0.5]], [[0.25, 0.75], [0.75, 0.25]], [[0.75, 0.25], [0.25, 0.75]]], [0, 1])
    stored = StoredProbabilities.of(pool.history)
    assert stored.loss(zero_one, [0]) == stored.loss(zero_one, [1, 2]) == 0.5
    assert stored.loss(zero_one, [2]) == 0
    np.testing.assert_array_equal(stored.labels[0], [0, 0])


@pytest.mark.parametrize("kind", [RandomTies, Distinct])
@pytest.mark.parametrize("loss", [zero_one, cross_entropy])
def test_a_selection_is_that_of_the_slow_loop(kind, loss):
    """Each step takes a model with which the ensemble has the lowest loss; without a tie there is one such path."""
    for seed in range(6):
        stored = _stored(seed, failed={1}, n_classes=2 + seed % 2)
        members = kind(size=5, loss=loss).grown(stored, np.flatnonzero(stored.finished), SEEDS)
        assert len(members) == 5
        for step, member in enumerate(members):
            left = [t for t in range(8) if t != 1 and (kind is RandomTies or t not in members[:step])]
            losses = {t: _loss_by_hand(stored, [*members[:step], t], loss.__name__) for t in left}
            assert losses[member] <= min(losses.values()) + 1e-12


def test_the_error_may_rise_for_no_step_is_refused():
    paths = [RandomTies(size=9, loss=zero_one).path(_stored(seed, trials=3), SEEDS) for seed in range(20)]
    assert any((np.diff(path.losses) > 0).any() for path in paths)


def test_ties_are_broken_evenly_and_by_the_repetition():
    same = StoredProbabilities.of(probable_pool(np.full((4, 6, 2), 0.5), [0, 1] * 3).history)
    greedy, pool = RandomTies(size=25, loss=zero_one), np.arange(4)
    drawn = [greedy.grown(same, pool, Seeds("study", "toy", r)) for r in range(60)]
    assert drawn[0] == greedy.grown(same, pool, Seeds("study", "toy", 0))
    for step in (0, 1, 24):  # each step draws anew
        times = Counter(members[step] for members in drawn)
        assert set(times) == {0, 1, 2, 3}
        assert max(times.values()) < 15 + 5 * np.sqrt(60 * 3 / 16)
    assert len({tuple(members) for members in drawn}) == 60


def test_an_ensemble_changes_along_a_search_only_by_a_trial_that_enters_it():
    """Shen et al. 2022, 4.3: "if the temporary pool changes, the configuration suggested at the previous iteration is
    included in the pool"."""
    stored = StoredProbabilities.of(random_probabilities(0, trials=40, n=8, steps=2).history)  # many ties
    greedy, changes = RandomTies(size=6, loss=zero_one), 0
    paths = [greedy.grown(stored, np.arange(t), SEEDS) for t in range(1, 41)]
    for t, (before, members) in enumerate(pairwise(paths), start=1):
        if members != before:
            assert t in members
            changes += 1
    assert 5 < changes < 39


def test_a_selection_without_ties_does_not_depend_on_the_order_of_the_candidates():
    stored = StoredProbabilities.of(random_probabilities(3, steps=10**6, n=200).history)
    for kind in (RandomTies, Forward):
        greedy = kind(size=6, loss=cross_entropy)
        assert len({tuple(greedy.grown(stored, np.arange(8), Seeds("s", "t", r))) for r in range(5)}) == 1


def test_of_fewer_trials_than_its_size_all_are_taken_once():
    stored = _stored(failed={0, 5})
    members = Distinct(size=10, loss=cross_entropy).grown(stored, np.flatnonzero(stored.finished), SEEDS)
    assert sorted(members) == [1, 2, 3, 4, 6, 7]
    with pytest.raises(EmptyPoolError, match="none of the 8 trials of this pool has finished"):
        Distinct(size=10, loss=cross_entropy).path(_stored(failed=range(8)), SEEDS)


def test_a_stored_label_has_the_probability_one():
    pool = random_pool(0, n_classes=4, failed={3})
    stored = StoredProbabilities.of(pool.history)
    for t, trial in enumerate(pool):
        if t == 3:
            assert not stored.values[t].any()
        else:
            np.testing.assert_array_equal(stored.labels[t], trial.predictions)
            np.testing.assert_array_equal(stored.values[t].sum(axis=1), 1)
            np.testing.assert_allclose(stored.loss(zero_one, [t]), trial.loss)


def test_labelled_trials_store_what_they_decide_and_labels_stay():
    pool = random_probabilities(0, failed={2})
    for trial, decided in zip(pool, labelled(pool.history)[:8], strict=True):
        assert decided.proposal == trial.proposal
        if trial.predictions is not None:
            np.testing.assert_array_equal(decided.predictions, trial.predictions.argmax(axis=1))
    labels = random_pool(0).history
    assert all(labelled(labels)[t].predictions is labels[t].predictions for t in range(len(labels)))


def test_pools_without_probabilities_are_refused_in_one_sentence():
    pool = random_probabilities(0)
    with pytest.raises(RunError, match="stores no predictions; give its study evaluation: predictions"):
        StoredProbabilities.of(History(pool.trials))
    with pytest.raises(RunError, match="predicts values; probabilities need a study of classification"):
        StoredProbabilities.of(History(pool.trials, Truth(pool.truth.y.astype(float), pool.truth.folds)))
