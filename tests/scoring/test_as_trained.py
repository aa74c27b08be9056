"""A model of a search that fails on the test part: its reason is kept out of sight, its ensembles do without it."""

import numpy as np
import pytest

from bayes_hpo.ensembles.combine import mean
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.outcomes.kinds import PERCENT
from bayes_hpo.outcomes.losses import zero_one
from bayes_hpo.outcomes.predictions import Probabilities
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import FINISHED, Pool, Proposal, Trial
from bayes_hpo.scoring.as_trained import AsTrained
from bayes_hpo.scoring.score import score, score_pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.storage.pools import read_pool, write_pool

SEEDS, Y_TEST = Seeds("study", "tiny", 0), np.array([0, 1, 1, 0])
TASK = Task("classification", Probabilities(), zero_one, 1.0, True, PERCENT)
LOSSES, FAILING = [0.3, 0.1, 0.2], 1  # the model with the lowest validation loss fails on the test part


def trial(number, fails):
    rows = np.random.default_rng(number).dirichlet(np.ones(2), len(Y_TEST)).astype(np.float32)
    tested = {"test_reason": "ValueError: rank"} if fails else {"test_predictions": rows}
    return Trial(Proposal({"C": float(number)}, number), np.array(LOSSES[number : number + 1]), **tested)


@pytest.fixture
def stored(tmp_path):
    """Function: (number of the failing trial or None) -> path of a pool of three trials."""

    def make(failing=FAILING):
        path = tmp_path / f"{failing}.npz"
        write_pool(Pool(tuple(trial(number, number == failing) for number in range(3))), path)
        return path

    return make


def losses(trials, path):
    ensemble = Ensemble.of_trials([{"C": float(number)} for number in range(3)], trials, mean)
    return score(ensemble, AsTrained(path), Y_TEST, SEEDS("vote"), TASK)


def test_the_other_members_are_scored_with_their_weights(stored):
    path = stored()
    np.testing.assert_array_equal(losses([FAILING, 2, 0, 2], path), losses([2, 0, 2], path))
    own = AsTrained(path).predictions
    assert sorted(own) == [0, 2]
    np.testing.assert_array_equal(losses([0, 1], path), own[0].argmax(axis=1) != Y_TEST)


def test_a_method_that_has_chosen_only_such_models_is_always_wrong_and_the_other_methods_are_scored(stored, logged):
    path = stored()
    methods = {"argmin": (argmin, True), "first": (lambda pool, seeds: Ensemble.single({"C": 0.0}, 0), False)}
    pool = read_pool(path)
    rows = [row for row, _ in score_pool(pool, methods, AsTrained(path), Y_TEST, SEEDS, task=TASK, every=1)]
    own = np.mean(AsTrained(path).predictions[0].argmax(axis=1) != Y_TEST)
    assert [row["test_error"] for row in rows] == [own, 1, 1, own]
    assert f"{path}: the model of trial {FAILING} fails on the test part: ValueError: rank" in logged()


def test_nothing_of_it_reaches_a_searcher_or_a_selector(stored, bits):
    assert bits(stored(), "fingerprint") == bits(stored(None), "fingerprint")
    pool = read_pool(stored())
    assert [one.status for one in pool] == [FINISHED] * 3
    assert {one.test_reason for one in [*pool, *Pool((trial(FAILING, True),)).history]} == {""}
    assert argmin(pool, SEEDS).members[0].trial == FAILING
