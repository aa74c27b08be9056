"""Laws of random search."""

import numpy as np

from bayes_hpo.pool import History, Trial
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

SPACE = Space({"C": {"low": 1e-5, "high": 1e5, "log": True}, "tau": {"low": 1e-5, "high": 1e5, "log": True}})
SEARCH = RandomSearch(SPACE)


def _run(losses, seeds):
    trials = []
    for loss in losses:
        trials.append(Trial(SEARCH.propose(History(trials), seeds), np.array([loss])))
    return [trial.proposal for trial in trials]


def test_losses_do_not_move_it():
    seeds = Seeds("study", "toy", 0)
    assert _run(np.zeros(20), seeds) == _run(np.random.default_rng(0).random(20), seeds)


def test_repetitions_differ_and_no_point_comes_twice():
    runs = [[p.configuration["C"] for p in _run(np.zeros(50), Seeds("study", "toy", r))] for r in range(3)]
    assert len({value for run in runs for value in run}) == 150


def test_points_are_uniform_in_the_cube():
    proposals = _run(np.zeros(600), Seeds("study", "toy", 0))
    points = SPACE.encode([proposal.configuration for proposal in proposals])
    for coordinate in points.T:
        assert np.abs(np.sort(coordinate) - np.linspace(0, 1, 600)).max() < 1.95 / np.sqrt(600)


def test_every_trial_is_a_round():
    assert [proposal.round for proposal in _run(np.zeros(5), Seeds("study", "toy", 0))] == [0, 1, 2, 3, 4]
