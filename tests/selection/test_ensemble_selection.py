"""Laws of the ensembles of probabilities selected from a finished search: selection, bagging, the slots' vote."""

from dataclasses import replace

import numpy as np
import pytest
from probable_pools import random_probabilities

from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.combine import mean, probable_vote
from bayes_hpo.ensembles.greedy import RandomTies
from bayes_hpo.ensembles.probabilities import StoredProbabilities, labelled, zero_one
from bayes_hpo.errors import EmptyPoolError
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.selection.bagging import Bagging
from bayes_hpo.selection.ensemble_selection import EnsembleSelection
from bayes_hpo.selection.slot_members import SlotMembers

SEEDS = Seeds("study", "toy", 0)
FIVE = EnsembleSelection(greedy=RandomTies(size=5, loss=zero_one))


@pytest.fixture
def configured(grid_of):
    """Function: a selector of conf/ at scale small."""
    return lambda name: build(grid_of(scale="small").cfg["selectors"][name], "selector")


def _times(ensemble):
    return {member.trial: member.weight for member in ensemble.members}


def _error(ensemble, pool, rng=None):
    predictions = np.array([pool[member.trial].predictions for member in ensemble.members])
    return (ensemble.combined(predictions, rng).argmax(axis=1) != pool.truth.y).mean()


@pytest.mark.parametrize(("name", "size", "most"), [("es", 25, 25), ("es_100", 100, 100), ("nes", 10, 1)])
def test_the_configured_ones_have_their_sizes(configured, name, size, most):
    pool = random_probabilities(0, trials=20)
    times = _times(configured(name)(pool, SEEDS))
    assert sum(times.values()) == size
    assert 1 <= max(times.values()) <= most


def test_the_error_of_the_ensemble_is_that_by_which_it_was_selected():
    for seed in range(10):
        pool = random_probabilities(seed, failed={seed % 8})
        ensemble = FIVE(pool, SEEDS)
        path = FIVE.greedy.path(StoredProbabilities.of(pool.history), SEEDS)
        assert ensemble.combine == mean
        assert _times(ensemble) == {trial: path.trials.tolist().count(trial) for trial in path.trials.tolist()}
        np.testing.assert_allclose(_error(ensemble, pool), path.losses[-1])


def test_of_one_member_it_has_the_lowest_error_of_all_trials():
    for seed in range(10):
        pool = random_probabilities(seed)
        (member,) = EnsembleSelection(greedy=RandomTies(size=1, loss=zero_one))(pool, SEEDS).members
        assert pool[member.trial].loss == pool[argmin(pool, SEEDS).members[0].trial].loss


def test_they_read_nothing_but_what_the_search_has_seen(configured):
    pool = random_probabilities(2)
    nan = {"selection_losses": np.full(1, np.nan), "test_predictions": np.full((9, 3), np.nan)}
    blinded = replace(pool, trials=tuple(replace(trial, **nan) for trial in pool))
    for name in ("es", "nes", "bagging", "eo_probable"):
        assert configured(name)(blinded, SEEDS) == configured(name)(pool, SEEDS)


def test_bagging_weighs_the_five_best_by_their_accuracy(configured):
    pool = random_probabilities(1, trials=12, failed={4})
    losses = pool.losses.mean(axis=1)
    best = sorted((t for t in range(12) if t != 4), key=lambda t: (losses[t], t))[:5]
    ensemble = configured("bagging")(pool, SEEDS)
    assert _times(ensemble) == {t: 1 - losses[t] for t in best}
    predictions = np.array([pool[t].predictions for t in best])
    expected = np.average(predictions, axis=0, weights=1 - losses[best])
    np.testing.assert_allclose(ensemble.combined(predictions, None), expected)


def test_a_model_that_is_always_wrong_has_no_say_unless_all_are():
    pool = random_probabilities(1)
    wrong = [replace(trial, losses=np.ones(1)) for trial in pool]
    assert set(_times(Bagging(9)(Pool((*wrong[:6], *pool[6:].trials), truth=pool.truth), SEEDS))) == {6, 7}
    assert _times(Bagging(9)(Pool(tuple(wrong), truth=pool.truth), SEEDS)) == {0: 1.0}


def test_without_a_finished_trial_there_is_nothing_to_select(configured):
    for name in ("es", "nes", "bagging", "eo_probable"):
        with pytest.raises(EmptyPoolError, match="none of the 8 trials of this pool has finished"):
            configured(name)(random_probabilities(0, failed=range(8)), SEEDS)


def test_the_slots_of_probabilities_are_those_of_the_labels(configured):
    for seed in range(5):
        pool = random_probabilities(seed, trials=20, failed={7})
        select = configured("eo_probable")
        labels = Pool(tuple(labelled(pool.history)[t] for t in range(20)), truth=pool.truth)
        ensemble = select(pool, SEEDS)
        assert _times(ensemble) == _times(SlotMembers(slots=select.slots)(labels, SEEDS))
        assert ensemble.combine == probable_vote
