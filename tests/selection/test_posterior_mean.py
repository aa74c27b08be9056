"""Laws of selection by the posterior mean."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.acquisition.candidates import SobolGrid
from bayes_hpo.acquisition.criteria import Integrated, NegativeMean, improvement_on_lowest
from bayes_hpo.acquisition.maximize import GradientRefinement
from bayes_hpo.errors import EmptyPoolError
from bayes_hpo.pool import FAILED, Pool, Proposal, Trial
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.selection.posterior_mean import PosteriorMean
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.priors import Horseshoe, SquaredLog, Uniform
from bayes_hpo.surrogates.gp.process import GaussianProcess
from bayes_hpo.surrogates.gp.slice_sampling import SliceSampling
from bayes_hpo.surrogates.gp.stationary import Matern52
from bayes_hpo.surrogates.targets import Scaled, Standardized

SPACE = Space({"C": {"low": 1e-5, "high": 1e5, "log": True}, "gamma": {"low": 1e-5, "high": 1e5, "log": True}})
SEEDS = Seeds("study", "toy", 0)
SETTINGS = {
    "space": SPACE,
    "surrogate": GaussianProcess(
        Model(Matern52(Uniform(0.0, 2.0)), SquaredLog(), Horseshoe(0.1), 1e-3), SliceSampling(burn_in=30, samples=4)
    ),
    "targets": Scaled(50.0),
    "candidates": SobolGrid(200, around_best=4),
    "maximizer": GradientRefinement(5),
}
SELECT = PosteriorMean(**SETTINGS)
each_targets = pytest.mark.parametrize("targets", [Scaled(50.0), Standardized()], ids=lambda one: type(one).__name__)


def _bowl(points):
    """Losses (n,) at points (n, 2) of the cube, lowest (.1) at (.7, .3)."""
    return 0.1 + 0.8 * (points[:, 0] - 0.7) ** 2 + 0.8 * (points[:, 1] - 0.3) ** 2


def _pool(points, losses, status="finished"):
    """A pool of the points (n, 2) with losses (n,) on one fold."""
    trials = [
        Trial(Proposal(SPACE.decode(u), t), losses=np.array([loss]), status=status)
        for t, (u, loss) in enumerate(zip(points, losses, strict=True))
    ]
    return Pool(tuple(trials))


def _chosen(ensemble):
    """Point (2,) of the only member."""
    (member,) = ensemble.members
    return SPACE.encode([member.configuration])[0]


def test_the_choice_is_near_the_minimum_and_need_not_be_a_trial():
    points = np.random.default_rng(0).random((40, 2))
    ensemble = SELECT(_pool(points, _bowl(points)), SEEDS)
    assert ensemble.members[0].trial is None
    assert ensemble.members[0].weight == 1
    np.testing.assert_allclose(_chosen(ensemble), [0.7, 0.3], atol=0.03)


def test_the_mean_is_averaged_over_all_samples_and_looked_for_around_the_best_trial():
    def watching(criterion, candidates, evaluated, rng):
        np.testing.assert_array_equal(evaluated.best, points[losses.argmin()])
        assert isinstance(criterion.acquisition, NegativeMean)
        assert (len(criterion.predictive), len(evaluated.points)) == (4, 0)  # a trial may be the lowest
        return SELECT.maximizer(criterion, candidates, evaluated, rng)

    points = SPACE.encode([SPACE.sample(np.random.default_rng(i)) for i in range(12)])
    points = points[_bowl(points).argsort()[::-1]]
    losses = _bowl(points)
    assert replace(SELECT, maximizer=watching)(_pool(points, losses), SEEDS) == SELECT(_pool(points, losses), SEEDS)


def test_the_gaussian_process_sees_losses_times_the_factor():
    points = np.random.default_rng(6).random((12, 2))
    whole, half = _pool(points, _bowl(points)), _pool(points, _bowl(points) / 2)
    assert replace(SELECT, targets=Scaled(100.0))(half, SEEDS) == SELECT(whole, SEEDS)
    assert SELECT(half, SEEDS) != SELECT(whole, SEEDS)  # the priors have a scale


@each_targets
def test_a_shift_of_the_losses_does_not_move_the_choice_nor_a_scale_where_they_are_standardised(targets):
    points = np.random.default_rng(6).random((12, 2))
    select = replace(SELECT, targets=targets)
    scale = 300 if isinstance(targets, Standardized) else 1
    moved = select(_pool(points, scale * _bowl(points) + 0.25), SEEDS)
    np.testing.assert_allclose(_chosen(moved), _chosen(select(_pool(points, _bowl(points)), SEEDS)), atol=1e-4)


def test_its_draws_are_not_those_of_the_search():
    class Recorded:
        def __init__(self):
            self.names = set()

        def __call__(self, name, *numbers):
            self.names.add(name)
            return SEEDS(name, *numbers)

    points = np.random.default_rng(7).random((5, 2))
    pool, searched, selected = _pool(points, _bowl(points)), Recorded(), Recorded()
    Bayesian(**SETTINGS, acquisition=improvement_on_lowest, budget=9).propose(pool.history, searched)
    SELECT(pool, selected)
    assert (len(searched.names), len(selected.names)) == (2, 2)
    assert not searched.names & selected.names


def test_without_noise_and_among_the_observed_points_it_is_argmin():
    for repetition in range(10):
        rng = np.random.default_rng(repetition)
        points = rng.random((30, 2))
        losses = rng.permutation(np.linspace(0.1, 0.4, 30))
        states = [[15.0, 60.0, 0.0, 0.2, 0.2], [10.0, 200.0, 0.0, 0.1, 0.3]]  # noise 0
        posterior = SELECT.surrogate.model.posterior(np.array(states), points, losses * 50)
        (member,) = argmin(_pool(points, losses), SEEDS).members
        assert Integrated(NegativeMean(), posterior).values(points).argmax() == member.trial


@pytest.mark.slow
def test_under_noise_its_choice_is_truly_better_than_argmins():
    ours, theirs = [], []
    for repetition in range(12):
        rng = np.random.default_rng(repetition)
        points = rng.random((60, 2))
        pool = _pool(points, _bowl(points) + 0.05 * rng.standard_normal(60))
        ours.append(_bowl(_chosen(SELECT(pool, SEEDS))[None])[0])
        theirs.append(_bowl(_chosen(argmin(pool, SEEDS))[None])[0])
    assert np.mean(ours) < 0.5 * (np.mean(theirs) - 0.1) + 0.1
    assert np.sum(np.array(ours) < theirs) >= 9


def test_a_failed_trial_keeps_the_choice_away():
    points = np.concatenate([np.random.default_rng(1).random((25, 2)), [[0.7, 0.3]]])
    pool = _pool(points, _bowl(points))
    failed = replace(pool[-1], losses=np.ones(1), status=FAILED, reason="did not end")
    chosen = _chosen(SELECT(replace(pool, trials=(*pool.trials[:-1], failed)), SEEDS))
    assert np.abs(chosen - [0.7, 0.3]).max() > 0.03


def test_a_trial_without_a_loss_counts_as_the_worst():
    points = np.random.default_rng(1).random((25, 2))
    losses = _bowl(points)
    lost = _pool(points, np.where(np.arange(25) == 3, np.nan, losses))
    worst = _pool(points, np.where(np.arange(25) == 3, np.delete(losses, 3).max(), losses))
    assert SELECT(lost, SEEDS) == SELECT(worst, SEEDS)


def test_a_trial_counts_where_it_was_proposed():
    whole = Space({"x": {"low": 0, "high": 1}, "k": {"low": 1, "high": 2, "integer": True}})
    select, points = replace(SELECT, space=whole), np.random.default_rng(8).random((9, 2))
    trials = [
        Trial(Proposal(whole.decode(u), t, {"point": u}), losses=np.array([loss]))
        for t, (u, loss) in enumerate(zip(points, _bowl(points), strict=True))
    ]
    np.testing.assert_array_equal(select.fitted(Pool(tuple(trials)), SEEDS)[0], points)


def test_folds_count_by_their_mean():
    points = np.random.default_rng(2).random((12, 2))
    losses = _bowl(points)
    pool = _pool(points, losses)
    folded = [replace(trial, losses=np.array([trial.loss - 0.125, trial.loss + 0.125])) for trial in pool.trials]
    one, two = SELECT(pool, SEEDS), SELECT(Pool(tuple(folded)), SEEDS)
    np.testing.assert_allclose(_chosen(one), _chosen(two), atol=1e-4)


def test_it_is_a_function_of_pool_and_seeds():
    points = np.random.default_rng(3).random((12, 2))
    pool = _pool(points, _bowl(points))
    assert SELECT(pool, SEEDS) == replace(SELECT)(pool, SEEDS)


def test_the_selection_losses_are_not_read():
    points = np.random.default_rng(4).random((12, 2))
    pool = _pool(points, _bowl(points))
    blind = Pool(tuple(replace(trial, selection_losses=np.full(1, np.nan)) for trial in pool.trials))
    assert SELECT(blind, SEEDS) == SELECT(pool, SEEDS)


@each_targets
@pytest.mark.parametrize("losses", [[0.3], [0.3, 0.3], [0.37] * 9, [0.2, 0.4] * 8], ids=len)
def test_one_trial_equal_losses_and_duplicates_do_not_break_it(targets, losses):
    points = np.random.default_rng(5).random((2, 2))[np.arange(len(losses)) % 2]
    chosen = _chosen(replace(SELECT, targets=targets)(_pool(points, losses), SEEDS))
    assert np.isfinite(chosen).all()


def test_a_pool_of_failures_only_is_empty():
    with pytest.raises(EmptyPoolError):
        SELECT(_pool(np.zeros((3, 2)), np.ones(3), status=FAILED), SEEDS)
