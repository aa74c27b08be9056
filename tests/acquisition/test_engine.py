"""Laws of what the engine's searcher and selector share."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.acquisition.candidates import SobolGrid
from bayes_hpo.acquisition.criteria import ExpectedImprovement
from bayes_hpo.acquisition.engine import POINT, Engine
from bayes_hpo.acquisition.maximize import Climbing
from bayes_hpo.acquisition.tried import Tried
from bayes_hpo.pool import History, Proposal, Trial
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.slice_sampling import SliceSampling
from bayes_hpo.surrogates.gp.targets import Times

SPACE = Space({"x": {"low": 0, "high": 1}, "k": {"low": 1, "high": 4, "integer": True}})


@pytest.fixture
def engine(model_of):
    return Engine(
        space=SPACE,
        model=model_of(),
        hyperparameters=SliceSampling(burn_in=2, samples=2),
        targets=Times(50.0),
        candidates=SobolGrid(64, around_best=2),
        maximizer=Climbing(2),
    )


def _history(points, memories):
    return History(
        Trial(Proposal(SPACE.decode(u), t, memory), losses=np.zeros(1))
        for t, (u, memory) in enumerate(zip(points, memories, strict=True))
    )


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


def test_the_optimum_is_also_looked_for_around_the_best(engine, posterior_of):
    """From far candidates alone the climb ends elsewhere."""
    posterior, acquisition, nothing = posterior_of(), ExpectedImprovement(1.0), np.empty((0, 2))
    best = engine.optimum(acquisition, posterior, Tried(SPACE, nothing, np.zeros(2)), np.random.default_rng(0))
    few = replace(engine, candidates=SobolGrid(2, around_best=2))  # (0, 0) and (.5, .5)
    found, alone = (
        few.optimum(acquisition, posterior, Tried(SPACE, nothing, near), np.random.default_rng(0))
        for near in (best, np.zeros(2))
    )
    assert np.abs(found - best).max() < 0.01
    assert not np.abs(alone - best).max() < 0.01


def test_the_maximiser_is_handed_what_the_candidates_offer_and_what_was_tried(engine, posterior_of):
    tried = Tried(SPACE, np.random.default_rng(3).random((5, 2)), best=np.array([0.4, 0.6]))
    handed = replace(engine, maximizer=lambda criterion, candidates, tried, rng: (candidates, tried))
    candidates, also = handed.optimum(None, posterior_of(), tried, np.random.default_rng(1))
    assert also is tried
    np.testing.assert_array_equal(candidates, engine.candidates.offered(tried, np.random.default_rng(1)))
