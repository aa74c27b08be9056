"""Laws of Bayesian optimization as a searcher."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.pool import FAILED, History, Trial
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.search.loop import from_record, to_record
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

SPACE = Space({"C": {"low": 1e-5, "high": 1e5, "log": True}, "gamma": {"low": 1e-5, "high": 1e5, "log": True}})
SEEDS = Seeds("study", "toy", 0)
SETTINGS = {"candidates": 200, "burn_in": 20, "samples": 3, "refined": 5, "around_best": 4, "objective_scale": 50.0}
SETTINGS = {"space": SPACE} | SETTINGS
GP = Bayesian(**SETTINGS)


def _bowl(u):
    """A loss in [0, 1] of a point (2,) of the cube, lowest at (.7, .3)."""
    return float(0.1 + 0.4 * (u[0] - 0.7) ** 2 + 0.4 * (u[1] - 0.3) ** 2)


def _run(searcher, loss, trials, seeds=SEEDS, done=()):
    """Trials (list) of a search that goes on from those that are done."""
    done = list(done)
    while len(done) < trials:
        proposal = searcher.propose(History(done), seeds)
        done.append(Trial(proposal, np.array([loss(SPACE.encode([proposal.configuration])[0])])))
    return done


def _points(trials):
    return SPACE.encode([trial.proposal.configuration for trial in trials])


def _same(ours, theirs):
    return all(
        a.proposal.configuration == b.proposal.configuration
        and a.proposal.round == b.proposal.round
        and np.array_equal(a.proposal.memory.get("chain"), b.proposal.memory.get("chain"))
        for a, b in zip(ours, theirs, strict=True)
    )


def test_the_first_two_trials_are_the_first_grid_points():
    for seeds in (SEEDS, Seeds("study", "other", 7)):
        np.testing.assert_allclose(_points(_run(GP, _bowl, 2, seeds)), [[0, 0], [0.5, 0.5]], atol=1e-15)


def test_each_trial_is_a_round_and_remembers_its_chain():
    trials = _run(GP, _bowl, 5)
    assert [trial.proposal.round for trial in trials] == [0, 1, 2, 3, 4]
    assert [set(trial.proposal.memory) for trial in trials] == [set(), set(), {"chain"}, {"chain"}, {"chain"}]
    assert trials[-1].proposal.memory["chain"].shape == (5,)


def test_a_search_resumed_at_every_trial_equals_the_uninterrupted_one():
    whole = _run(GP, _bowl, 7)
    for cut in range(7):
        journal = json.loads(json.dumps([to_record(trial) for trial in whole[:cut]]))
        fresh = replace(GP)
        assert _same(_run(fresh, _bowl, 7, done=[from_record(record) for record in journal]), whole)


def test_only_the_history_up_to_now_is_read():
    trials = _run(GP, _bowl, 6)
    history = History(trials)
    assert _same([Trial(GP.propose(history[:4], SEEDS), np.zeros(1))], trials[4:5])


def test_the_chain_goes_on_instead_of_burning_in_again():
    trials = _run(GP, _bowl, 4)
    lazier = replace(GP, burn_in=0)
    assert _same([Trial(lazier.propose(History(trials[:3]), SEEDS), np.zeros(1))], trials[3:])
    assert not _same([Trial(lazier.propose(History(trials[:2]), SEEDS), np.zeros(1))], trials[2:3])


def test_a_shift_of_the_losses_does_not_move_the_suggestions():
    plain = _run(GP, _bowl, 6)
    shifted = _run(GP, lambda u: _bowl(u) + 0.25, 6)
    np.testing.assert_allclose(_points(shifted), _points(plain), atol=1e-4)


def test_the_scale_of_the_objective_is_the_unit_of_the_losses():
    scaled = replace(GP, objective_scale=1.0)
    assert _same(_run(scaled, lambda u: 64 * _bowl(u), 5), _run(replace(GP, objective_scale=64.0), _bowl, 5))


@pytest.mark.parametrize("value", [0.0, 0.37, 1.0])
def test_equal_losses_spread_the_trials(value):
    points = _points(_run(GP, lambda u: value, 14))
    assert points.min() >= 0
    assert points.max() <= 1 + 1e-15
    assert len(np.unique(np.round(points, 6), axis=0)) >= 10


class Watched(Bayesian):
    """Keeps what its last suggestion was made of."""

    seen = {}  # noqa: RUF012

    def optimum(self, criterion, grid, **rest):
        self.seen.update(criterion=criterion, grid=grid, **rest)
        return super().optimum(criterion, grid, **rest)

    def states(self, *given):
        self.seen["states"] = super().states(*given)
        return self.seen["states"]


def test_a_grid_point_that_was_tried_is_not_offered_again():
    trials = _run(GP, lambda u: 0.2, 9)
    Watched(**SETTINGS).propose(History(trials), SEEDS)
    tried = np.round(_points(trials), 9)
    kept = [point for point in GP.grid if not (np.round(point, 9) == tried).all(axis=1).any()]
    assert len(GP.grid) - len(kept) >= 2
    np.testing.assert_array_equal(Watched.seen["grid"], kept)


def test_the_improvement_is_on_the_lowest_loss_and_looked_for_around_its_trial():
    trials = sorted(_run(RandomSearch(SPACE), _bowl, 9), key=lambda trial: -trial.loss)
    proposal = Watched(**SETTINGS).propose(History(trials), SEEDS)
    assert Watched.seen["criterion"].best == 50 * trials[-1].loss
    np.testing.assert_array_equal(Watched.seen["best"], _points(trials)[-1])
    assert len(Watched.seen["states"]) == SETTINGS["samples"]
    np.testing.assert_array_equal(proposal.memory["chain"], Watched.seen["states"][-1])


def test_a_grid_that_is_used_up_does_not_end_the_search():
    points = _points(_run(replace(GP, candidates=4, around_best=1, refined=2), _bowl, 12))
    assert np.isfinite(points).all()


def test_repeated_configurations_do_not_break_it():
    trial = _run(GP, _bowl, 2)[1]
    proposal = GP.propose(History([trial] * 12), SEEDS)
    assert np.isfinite(SPACE.encode([proposal.configuration])).all()


def test_a_failed_trial_stays_in_the_data_with_the_worst_loss():
    trials = _run(GP, _bowl, 6)
    failed = replace(trials[3], losses=np.ones(1), status=FAILED, reason="did not end")
    history = History([*trials[:3], failed, *trials[4:]])
    indices, targets = GP.observations(history)
    assert indices.tolist() == [0, 1, 2, 3, 4, 5]
    assert targets[3] == 50.0


def test_a_history_of_failures_only_still_gets_a_proposal():
    trials = [replace(trial, losses=np.ones(1), status=FAILED) for trial in _run(GP, lambda u: 1.0, 5)]
    assert GP.propose(History(trials), SEEDS).round == 5


def test_what_is_observed_is_the_one_override_of_a_variant():
    class UpsideDown(Bayesian):
        def observations(self, history):
            indices, targets = super().observations(history)
            return indices[5:], -targets[5:]

    trials = _run(RandomSearch(SPACE), _bowl, 30)
    upside_down = UpsideDown(**SETTINGS).propose(History(trials), SEEDS)
    assert _bowl(SPACE.encode([upside_down.configuration])[0]) > max(trial.loss for trial in trials)


@pytest.mark.slow
def test_it_finds_a_better_minimum_than_random_search():
    ours, theirs = [], []
    for repetition in range(5):
        seeds = Seeds("study", "toy", repetition)
        ours.append(min(trial.loss for trial in _run(GP, _bowl, 25, seeds)))
        theirs.append(min(trial.loss for trial in _run(RandomSearch(SPACE), _bowl, 25, seeds)))
    assert np.mean(ours) - 0.1 < 0.2 * (np.mean(theirs) - 0.1)
