"""Laws of what the engine's searcher and selector share."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.gp.acquisition import ExpectedImprovement
from bayes_hpo.gp.candidates import sobol_grid
from bayes_hpo.gp.engine import POINT, Engine
from bayes_hpo.gp.maximize import Climbing
from bayes_hpo.gp.slice_sampling import SliceSampling
from bayes_hpo.gp.targets import Times
from bayes_hpo.pool import History, Proposal, Trial
from bayes_hpo.spaces.space import Space

SPACE = Space({"x": {"low": 0, "high": 1}, "k": {"low": 1, "high": 4, "integer": True}})


@pytest.fixture
def engine(model_of):
    return Engine(
        space=SPACE,
        model=model_of(),
        hyperparameters=SliceSampling(burn_in=2, samples=2),
        targets=Times(50.0),
        candidates=64,
        maximizer=Climbing(2),
        around_best=2,
    )


def _history(points, memories):
    return History(
        Trial(Proposal(SPACE.decode(u), t, memory), losses=np.zeros(1))
        for t, (u, memory) in enumerate(zip(points, memories, strict=True))
    )


@pytest.mark.parametrize(("name", "low"), [("candidates", 2), ("around_best", 1)])
@pytest.mark.parametrize("off", [-1, 10**11])
def test_a_setting_off_its_limits_is_named(engine, name, low, off):
    with pytest.raises(UserError, match=f"{name}=.* must lie between {low} and 1e\\+07"):
        replace(engine, **{name: off})
    replace(engine, **{name: low})


def test_the_candidates_are_the_sobol_grid_of_the_space(engine):
    np.testing.assert_array_equal(engine.grid, sobol_grid(2, 64))


def test_a_trial_was_made_at_the_point_that_it_remembers_not_in_the_middle_of_its_integers_cell(engine):
    points = np.array([[0.2, 0.01], [0.7, 0.99]])
    np.testing.assert_array_equal(engine.points(_history(points, [{POINT: u} for u in points])), points)


def test_trials_that_remember_no_point_are_encoded(engine):
    points = np.array([[0.2, 0.01], [0.7, 0.99]])
    for memories in ([{}, {}], [{POINT: points[0]}, {}]):
        encoded = engine.points(_history(points, memories))
        np.testing.assert_allclose(encoded, [[0.2, 0.125], [0.7, 0.875]], rtol=1e-14)


def test_no_trials_have_no_points(engine):
    assert engine.points(History()).shape == (0, 2)


def test_a_used_grid_point_is_no_candidate(engine):
    np.testing.assert_array_equal(engine.unused(engine.grid[[0, 5]]), np.delete(engine.grid, [0, 5], axis=0))


def test_the_optimum_is_also_looked_for_around_the_best(engine, posterior_of):
    """From a far candidate alone the climb ends elsewhere."""
    posterior, far = posterior_of(), np.array([[0.0, 0.0]])
    acquisition = ExpectedImprovement(1.0)
    best = engine.optimum(acquisition, posterior, engine.grid, best=far[0], rng=np.random.default_rng(0))
    found = engine.optimum(acquisition, posterior, far, best=best, rng=np.random.default_rng(0))
    alone = engine.optimum(acquisition, posterior, far, best=far[0], rng=np.random.default_rng(0))
    assert np.abs(found - best).max() < 0.01
    assert not np.abs(alone - best).max() < 0.01


@pytest.mark.parametrize("seed", [1, 2])
def test_the_points_around_the_best_are_drawn_by_the_generator_that_was_handed_over(engine, posterior_of, seed):
    best, offered = np.array([0.4, 0.6]), replace(engine, maximizer=lambda criterion, candidates: candidates)
    every = offered.optimum(None, posterior_of(), engine.grid, best=best, rng=np.random.default_rng(seed))
    np.testing.assert_array_equal(every[:64], engine.grid)
    drawn = 1e-3 * np.random.default_rng(seed).standard_normal((2, 2))  # Spearmint's spread
    np.testing.assert_allclose(every[64:] - best, drawn, rtol=1e-9)
