"""Laws of random search, and of a shuffled Sobol sequence."""

import numpy as np
import pytest
from scipy.stats.qmc import Sobol

from bayes_hpo.pool import History, Trial
from bayes_hpo.search.random import RandomSearch, SobolSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

SPACE = Space({"C": {"low": 1e-5, "high": 1e5, "log": True}, "tau": {"low": 1e-5, "high": 1e5, "log": True}})
SEARCH = RandomSearch(SPACE)


def _run(losses, seeds, search=SEARCH):
    trials = []
    for loss in losses:
        trials.append(Trial(search.propose(History(trials), seeds), np.array([loss])))
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


def _sobol(budget, seeds, losses=None):
    """Points (budget, 2) of a Sobol search."""
    proposals = _run(np.zeros(budget) if losses is None else losses, seeds, SobolSearch(SPACE, budget))
    return SPACE.encode([proposal.configuration for proposal in proposals])


@pytest.mark.parametrize("budget", [1, 6, 16, 150])
def test_a_sobol_search_visits_the_start_of_the_sequence_in_another_order(budget):
    points, sequence = _sobol(budget, Seeds("study", "toy", 0)), Sobol(2, scramble=False).random(256)[:budget]
    np.testing.assert_allclose(np.sort(points, axis=0), np.sort(sequence, axis=0), atol=1e-9)
    nearest = np.abs(points[:, None] - sequence).max(axis=2).argmin(axis=1)
    np.testing.assert_allclose(points, sequence[nearest], atol=1e-9)
    assert sorted(nearest) == list(range(budget))
    assert budget < 10 or list(nearest) != sorted(nearest)


@pytest.mark.parametrize("strata", [2, 4, 16])
def test_a_sobol_search_hits_equal_strata_equally_often(strata):
    points = _sobol(16, Seeds("study", "toy", 0))
    for coordinate in points.T:
        counts = np.bincount(np.floor(coordinate * strata + 1e-9).astype(int), minlength=strata)
        np.testing.assert_array_equal(counts, 16 // strata)


def test_a_sobol_search_depends_on_the_seeds_alone():
    first, losses = _sobol(16, Seeds("study", "toy", 0)), np.random.default_rng(0).random(16)
    np.testing.assert_array_equal(_sobol(16, Seeds("study", "toy", 0), losses), first)
    assert not np.array_equal(_sobol(16, Seeds("study", "toy", 1)), first)
