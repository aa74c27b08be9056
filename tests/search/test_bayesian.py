"""Laws of Bayesian optimization as a searcher."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.acquisition.candidates import SobolGrid, sobol_grid
from bayes_hpo.acquisition.criteria import improvement_on_lowest
from bayes_hpo.acquisition.maximize import GradientRefinement
from bayes_hpo.errors import UserError
from bayes_hpo.pool import FAILED, History, Trial
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.search.loop import from_record, to_record
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.maximum_likelihood import MaximumLikelihood
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.priors import Horseshoe, SquaredLog, Uniform
from bayes_hpo.surrogates.gp.process import GaussianProcess
from bayes_hpo.surrogates.gp.slice_sampling import SliceSampling
from bayes_hpo.surrogates.gp.stationary import Matern52
from bayes_hpo.surrogates.targets import Scaled, Standardized

SPACE = Space({"C": {"low": 1e-5, "high": 1e5, "log": True}, "gamma": {"low": 1e-5, "high": 1e5, "log": True}})
MIXED = Space({"share": {"low": 0, "high": 1}, "depth": {"low": 1, "high": 3, "integer": True},
               "kind": {"choices": ["a", "b"]}, "cap": {"value": 7}})  # fmt: skip
SEEDS = Seeds("study", "toy", 0)
MODEL = Model(Matern52(Uniform(0.0, 2.0)), SquaredLog(), Horseshoe(0.1), 1e-3)
SLICE = SliceSampling(burn_in=20, samples=3)
SETTINGS = {
    "space": SPACE,
    "surrogate": GaussianProcess(MODEL, SLICE),
    "targets": Scaled(50.0),
    "acquisition": improvement_on_lowest,
    "candidates": SobolGrid(200, around_best=4),
    "maximizer": GradientRefinement(5),
    "budget": 30,
}
GP = Bayesian(**SETTINGS)
each_targets = pytest.mark.parametrize("targets", [Scaled(50.0), Standardized()], ids=lambda one: type(one).__name__)


def _bowl(u):
    """A loss in [0, 1] of a point of the cube, lowest at (.7, .3, ...)."""
    return float(0.1 + 0.4 * ((u - [0.7, 0.3, 0.3][: len(u)]) ** 2).sum())


def _run(searcher, loss, trials, seeds=SEEDS, done=()):
    """Trials (list) of a search that goes on from those that are done."""
    done = list(done)
    while len(done) < trials:
        proposal = searcher.propose(History(done), seeds)
        done.append(Trial(proposal, np.array([loss(searcher.space.encode([proposal.configuration])[0])])))
    return done


def _points(trials):
    return SPACE.encode([trial.proposal.configuration for trial in trials])


def _same(ours, theirs):
    def parts(proposal):
        memory = {name: array.tobytes() for name, array in proposal.memory.items()}
        return proposal.configuration, proposal.round, memory

    return [parts(trial.proposal) for trial in ours] == [parts(trial.proposal) for trial in theirs]


def test_the_first_two_trials_are_the_first_grid_points():
    for seeds in (SEEDS, Seeds("study", "other", 7)):
        np.testing.assert_allclose(_points(_run(GP, _bowl, 2, seeds)), [[0, 0], [0.5, 0.5]], atol=1e-15)


def test_each_trial_is_a_round_and_remembers_its_point_and_its_chain():
    trials = _run(GP, _bowl, 5)
    memories = [trial.proposal.memory for trial in trials]
    assert [trial.proposal.round for trial in trials] == [0, 1, 2, 3, 4]
    assert [set(memory) for memory in memories] == 2 * [{"point"}] + 3 * [{"point", "chain"}]
    assert memories[-1]["chain"].shape == (5,)
    assert [SPACE.decode(memory["point"]) for memory in memories] == [t.proposal.configuration for t in trials]


@pytest.mark.parametrize("space", [SPACE, MIXED], ids=["real", "mixed"])
def test_a_search_resumed_at_every_trial_equals_the_uninterrupted_one(space):
    searcher = replace(GP, space=space)
    whole = _run(searcher, _bowl, 7)
    for cut in range(7):
        journal = json.loads(json.dumps([to_record(trial) for trial in whole[:cut]]))
        fresh = replace(searcher)
        assert _same(_run(fresh, _bowl, 7, done=[from_record(record) for record in journal]), whole)


def test_only_the_history_up_to_now_is_read():
    trials = _run(GP, _bowl, 6)
    history = History(trials)
    assert _same([Trial(GP.propose(history[:4], SEEDS), np.zeros(1))], trials[4:5])


def test_the_chain_goes_on_instead_of_burning_in_again():
    trials = _run(GP, _bowl, 4)
    lazier = replace(GP, surrogate=GaussianProcess(MODEL, replace(SLICE, burn_in=0)))
    assert _same([Trial(lazier.propose(History(trials[:3]), SEEDS), np.zeros(1))], trials[3:])
    assert not _same([Trial(lazier.propose(History(trials[:2]), SEEDS), np.zeros(1))], trials[2:3])


def test_no_two_draws_of_a_search_share_a_generator():
    asked, trials = [], _run(GP, _bowl, 5)

    def recording(name, *numbers):
        asked.append((name, *numbers))
        return SEEDS(name, *numbers)

    for t in (2, 3, 4):
        assert _same([Trial(GP.propose(History(trials[:t]), recording), np.zeros(1))], trials[t : t + 1])
    assert len(set(asked)) == len(asked) == 6  # a trial moves its chain and draws around the best


@each_targets
def test_a_shift_of_the_losses_does_not_move_the_suggestions(targets):
    searcher = replace(GP, targets=targets)
    shifted = _run(searcher, lambda u: _bowl(u) + 0.25, 6)
    np.testing.assert_allclose(_points(shifted), _points(_run(searcher, _bowl, 6)), atol=1e-4)


def test_a_scale_of_the_losses_does_not_move_the_suggestions_of_a_standardising_engine():
    searcher = replace(GP, targets=Standardized())
    scaled = _run(searcher, lambda u: 300 * _bowl(u), 6)
    np.testing.assert_allclose(_points(scaled), _points(_run(searcher, _bowl, 6)), atol=1e-4)
    assert not _same(_run(GP, lambda u: 300 * _bowl(u), 3), _run(GP, _bowl, 3))  # Spearmint's priors are absolute


def test_the_factor_is_the_unit_of_the_losses():
    one, many = replace(GP, targets=Scaled(1.0)), replace(GP, targets=Scaled(64.0))
    assert _same(_run(one, lambda u: 64 * _bowl(u), 5), _run(many, _bowl, 5))


@each_targets
@pytest.mark.parametrize("hyperparameters", [SLICE, MaximumLikelihood(restarts=1)], ids=["slice", "ml"])
@pytest.mark.parametrize("value", [0.0, 1 / 3, 0.37, 1.0])
def test_equal_losses_spread_the_trials(targets, hyperparameters, value):
    searcher = replace(GP, targets=targets, surrogate=GaussianProcess(MODEL, hyperparameters))
    points = _points(_run(searcher, lambda u: value, 14))
    assert points.min() >= 0
    assert points.max() <= 1 + 1e-15
    assert len(np.unique(np.round(points, 6), axis=0)) >= 10


@each_targets
def test_an_outlier_and_an_unknown_loss_do_not_end_the_search(targets):
    losses = iter([np.nan, 0.3, 0.31, 1e3, 0.29, np.nan, 0.28, 1e6, 0.27, 0.26])
    trials = _run(replace(GP, targets=targets), lambda u: next(losses), 10)
    assert np.isfinite(_points(trials)).all()


def test_one_observation_gives_the_next_grid_point():
    one = History(_run(RandomSearch(SPACE), _bowl, 1))
    np.testing.assert_array_equal(GP.propose(one, SEEDS).memory["point"], sobol_grid(2, 200)[1])


def test_repeated_configurations_do_not_break_it():
    trial = _run(GP, _bowl, 2)[1]
    proposal = GP.propose(History([trial] * 12), SEEDS)
    assert np.isfinite(proposal.memory["point"]).all()


class Watching:
    """A maximizer that keeps what its last call was given."""

    def __call__(self, criterion, candidates, evaluated, rng):
        self.criterion, self.candidates, self.evaluated = criterion, candidates, evaluated
        return SETTINGS["maximizer"](criterion, candidates, evaluated, rng)


def test_a_grid_point_that_was_tried_is_not_offered_again():
    trials, watching = _run(GP, lambda u: 0.2, 9), Watching()
    replace(GP, maximizer=watching).propose(History(trials), SEEDS)
    grid, tried = sobol_grid(2, 200), np.round(_points(trials), 9)
    kept = [point for point in grid if not (np.round(point, 9) == tried).all(axis=1).any()]
    assert len(grid) - len(kept) >= 2
    np.testing.assert_array_equal(watching.candidates[:-4], kept)
    generated = GP.candidates.generate(watching.evaluated, SEEDS("around_best", 9))
    np.testing.assert_array_equal(watching.candidates, generated)


def test_the_improvement_is_on_the_lowest_loss_and_looked_for_around_its_trial():
    trials = sorted(_run(RandomSearch(SPACE), _bowl, 9), key=lambda trial: -trial.loss)
    watching = Watching()
    proposal = replace(GP, maximizer=watching).propose(History(trials), SEEDS)
    assert watching.criterion.acquisition.best == 50 * trials[-1].loss
    np.testing.assert_array_equal(watching.evaluated.best, _points(trials)[-1])
    posterior = watching.criterion.predictive
    np.testing.assert_array_equal(posterior.X, _points(trials))
    assert len(posterior) == 3
    np.testing.assert_array_equal(proposal.memory["chain"], posterior.states[-1])


def test_the_model_sees_the_points_that_were_proposed_not_the_middles_of_their_cells():
    searcher = replace(GP, space=MIXED)
    trials = _run(searcher, _bowl, 6)
    points, _, _ = searcher.fitted(History(trials), SEEDS)
    np.testing.assert_array_equal(points, [trial.proposal.memory["point"] for trial in trials])
    assert not np.array_equal(MIXED.encode([t.proposal.configuration for t in trials]), points)


def test_a_grid_that_is_used_up_does_not_end_the_search():
    points = _points(
        _run(replace(GP, candidates=SobolGrid(4, around_best=1), maximizer=GradientRefinement(2)), _bowl, 12)
    )
    assert np.isfinite(points).all()


def test_a_failed_trial_stays_in_the_data_with_the_worst_loss():
    trials = _run(GP, _bowl, 6)
    failed = replace(trials[3], losses=np.ones(1), status=FAILED, reason="did not end")
    indices, losses = GP.observations(History([*trials[:3], failed, *trials[4:]]), SEEDS)
    assert indices.tolist() == [0, 1, 2, 3, 4, 5]
    assert losses[3] == 1


@pytest.mark.parametrize("loss", [1.0, np.nan], ids=["worst", "unknown"])
def test_a_history_of_failures_only_still_gets_a_proposal(loss):
    trials = [replace(trial, losses=np.full(1, loss), status=FAILED) for trial in _run(GP, lambda u: 1.0, 5)]
    assert GP.propose(History(trials), SEEDS).round == 5


def test_the_hyperparameters_may_be_those_of_highest_likelihood():
    surrogate = GaussianProcess(MODEL, MaximumLikelihood(restarts=2))
    fitted = replace(GP, surrogate=surrogate, targets=Standardized())
    trials = _run(fitted, _bowl, 12)
    assert min(trial.loss for trial in trials) < 0.11
    assert trials[-1].proposal.memory["chain"].shape == (5,)


def test_what_is_observed_is_the_one_override_of_a_variant():
    class UpsideDown(Bayesian):
        def observations(self, history, seeds):
            indices, losses = super().observations(history, seeds)
            return indices[5:], -losses[5:]

    trials = _run(RandomSearch(SPACE), _bowl, 30)
    upside_down = UpsideDown(**SETTINGS).propose(History(trials), SEEDS)
    assert _bowl(upside_down.memory["point"]) > max(trial.loss for trial in trials)


@pytest.mark.parametrize("budget", [0, 1])
def test_a_budget_below_the_initial_design_is_one_sentence(budget):
    with pytest.raises(UserError, match=f"budget={budget} is below the initial design; raise it to at least 2 trials"):
        replace(GP, budget=budget)


@pytest.mark.slow
def test_it_finds_a_better_minimum_than_random_search():
    ours, theirs = [], []
    for repetition in range(5):
        seeds = Seeds("study", "toy", repetition)
        ours.append(min(trial.loss for trial in _run(GP, _bowl, 25, seeds)))
        theirs.append(min(trial.loss for trial in _run(RandomSearch(SPACE), _bowl, 25, seeds)))
    assert np.mean(ours) - 0.1 < 0.2 * (np.mean(theirs) - 0.1)
