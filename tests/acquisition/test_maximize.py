"""Laws of the maximisers of an acquisition."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.acquisition import maximize as module
from bayes_hpo.acquisition.candidates import SobolGrid, around, sobol_grid, unused
from bayes_hpo.acquisition.criteria import ExpectedImprovement, Integrated, NegativeMean
from bayes_hpo.acquisition.evaluated import Evaluated
from bayes_hpo.acquisition.maximize import GradientRefinement, NewRefinement, best_candidate, best_candidates
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space
from tests.configured import configured

ANY = None, None  # what was tried is nothing to them, and nothing is drawn
GRID = sobol_grid(2, 64)


@pytest.fixture(params=[ExpectedImprovement(0.2), NegativeMean()], ids=lambda acquisition: type(acquisition).__name__)
def criterion(request, posterior_of):
    return Integrated(request.param, posterior_of())


@pytest.fixture
def function_of(monkeypatch):
    """Function: a criterion from a function of points (m, d) and its gradient, screened in double precision."""
    monkeypatch.setattr(module, "screen", lambda criterion, candidates: criterion.values(candidates))

    def make(values, gradients):
        criterion = SimpleNamespace(values=values, values_and_gradients=lambda p: (values(p), gradients(p)))
        criterion.for_gradients, criterion.unit = lambda: criterion, np.ptp
        return criterion

    return make


@pytest.fixture
def hill(function_of):
    """Function: a criterion with one top."""
    return lambda top: function_of(lambda p: -((p - top) ** 2).sum(axis=1), lambda p: -2 * (p - top))


@pytest.fixture
def flat(function_of):
    """A criterion that is zero everywhere."""
    return function_of(lambda p: np.zeros(len(p)), np.zeros_like)


def test_the_grid_starts_as_spearmints():
    expected = [[0, 0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375]]
    np.testing.assert_array_equal(sobol_grid(2, 20_000)[:5], expected)


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_a_smaller_grid_is_the_start_of_a_larger_one(size):
    np.testing.assert_array_equal(sobol_grid(3, size), sobol_grid(3, 1024)[:size])


def test_the_shared_grid_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        sobol_grid(2, 8)[0, 0] = 1


def test_used_grid_points_are_left_out_whatever_rounding_did_to_them():
    used = np.concatenate([GRID[[0, 1, 40]] * (1 + 1e-15) + 1e-15, GRID[[1]], [[0.123, 0.456]]])
    np.testing.assert_array_equal(unused(2, 64, used), np.delete(GRID, [0, 1, 40], axis=0))


def test_without_trials_the_whole_grid_is_unused():
    np.testing.assert_array_equal(unused(2, 64, np.empty((0, 2))), GRID)


def test_points_around_the_best_are_near_it_and_inside():
    points = around(np.array([0.0, 0.4]), 2000, np.random.default_rng(0))
    assert points.min() >= 0
    np.testing.assert_allclose(points[:, 1].std(), 1e-3, rtol=0.1)
    np.testing.assert_allclose(points.mean(axis=0), [0.0004, 0.4], atol=1e-4)


@pytest.mark.parametrize("top", [[0.31, 0.62], [0.0, 1.0], [0.001, 0.5], [1.7, 0.25]])
def test_the_top_of_a_hill_is_found(hill, top):
    np.testing.assert_allclose(GradientRefinement(5)(hill(top), GRID, *ANY), np.clip(top, 0, 1), atol=1e-4)


def test_the_best_candidate_is_the_argmax_in_double_precision(criterion):
    candidates = np.random.default_rng(0).random((2000, 2))
    expected = candidates[criterion.values(candidates).argmax()]
    np.testing.assert_array_equal(best_candidate(criterion, candidates, *ANY), expected)


def test_the_highest_candidates_come_in_the_order_of_their_values(criterion):
    candidates = np.random.default_rng(0).random((2000, 2))
    found, unit = best_candidates(criterion, candidates, 20)
    values = criterion.values(candidates)
    np.testing.assert_array_equal(found, candidates[np.argsort(-values)[:20]])
    assert unit == pytest.approx(np.ptp(values), rel=1e-4)


def test_the_result_is_at_least_as_high_as_every_candidate_and_many_other_points(criterion):
    found = GradientRefinement(20)(criterion, sobol_grid(2, 300), *ANY)
    others = np.concatenate([sobol_grid(2, 300), np.random.default_rng(0).random((5000, 2))])
    assert criterion.values(found[None])[0] >= criterion.values(others).max()


@pytest.mark.parametrize("seed", range(5))
def test_the_highest_of_many_hills_is_found_though_another_has_the_highest_candidate(function_of, seed):
    rng = np.random.default_rng(seed)
    w, phase = rng.normal(0, 12, (6, 2)), rng.random(6) * 6
    waves = function_of(lambda p: np.cos(p @ w.T + phase).sum(axis=1), lambda p: -np.sin(p @ w.T + phase) @ w)
    found = GradientRefinement(20)(waves, sobol_grid(2, 100), *ANY)
    assert waves.values(found[None])[0] >= waves.values(rng.random((20_000, 2))).max()


def test_only_the_highest_candidates_are_refined(hill, monkeypatch):
    started, refine = [], module.refine
    monkeypatch.setattr(module, "refine", lambda *given, **unit: started.append(given[1]) or refine(*given, **unit))
    criterion = hill([0.3, 0.6])
    GradientRefinement(4)(criterion, GRID, *ANY)
    np.testing.assert_array_equal(started[0], GRID[np.argsort(-criterion.values(GRID))[:4]])


def test_the_first_of_equals_wins(flat):
    np.testing.assert_array_equal(GradientRefinement(4)(flat, GRID[3:], *ANY), GRID[3])
    np.testing.assert_array_equal(best_candidate(flat, GRID[3:], *ANY), GRID[3])


def test_fewer_candidates_than_starts_are_enough(hill):
    np.testing.assert_allclose(GradientRefinement(4)(hill([0.3, 0.6]), GRID[:1], *ANY), [0.3, 0.6], atol=1e-4)


def test_no_start_is_one_sentence():
    with pytest.raises(UserError, match=r"maximizer\.n_starts=0 must be at least 1"):
        configured(GradientRefinement, "maximizer", n_starts=0)


@pytest.mark.parametrize("top", [[0.31, 0.62], [0.0, 1.0]])
def test_a_space_of_few_points_is_visited_in_the_order_of_their_values(hill, top):
    """On a hill the best point that was not evaluated is the nearest of them to the top, whatever the refinement."""
    space = Space({name: {"low": 1, "high": 4, "integer": True, "nearest": True} for name in "xy"})
    candidates = space.round_to_grid(np.unique(space.round_to_grid(sobol_grid(2, 256)), axis=0))
    assert len(candidates) == 16
    visited = np.empty((0, 2))
    for _ in range(16):
        point = NewRefinement(3)(hill(top), candidates, Evaluated(space, visited, None), None)
        assert (candidates == point).all(axis=1).any()
        visited = np.vstack([visited, point])
    distances = ((visited - top) ** 2).sum(axis=1)
    np.testing.assert_allclose(distances, np.sort(distances))
    assert len(np.unique(visited, axis=0)) == 16


def test_a_new_refinement_of_numbers_is_the_refinement(criterion):
    evaluated = Evaluated(Space({name: {"low": 0, "high": 1} for name in "xy"}), GRID[:5], None)
    ours, plain = (kind(5)(criterion, GRID, evaluated, None) for kind in (NewRefinement, GradientRefinement))
    np.testing.assert_allclose(criterion.values(ours[None]), criterion.values(plain[None]))
    assert criterion.values(ours[None])[0] >= criterion.values(GRID).max()


def test_refined_points_are_visited_in_the_order_of_their_values_before_any_candidate(function_of):
    waves = function_of(lambda p: np.cos(14 * p).sum(axis=1), lambda p: -14 * np.sin(14 * p))
    space, search = Space({name: {"low": 0, "high": 1} for name in "xy"}), NewRefinement(20)
    tops = waves.values(np.unique(search.refined(waves, GRID)[0], axis=0))
    assert np.ptp(tops) > 0.01
    visited = np.empty((0, 2))
    for _ in tops:
        visited = np.vstack([visited, search(waves, GRID, Evaluated(space, visited, None), None)])
    np.testing.assert_allclose(waves.values(visited), np.sort(tops)[::-1])


def test_the_optimum_is_also_looked_for_around_the_best(posterior_of):
    """From far candidates alone the refinement ends elsewhere."""
    criterion = Integrated(ExpectedImprovement(1.0), posterior_of())
    space = Space({name: {"low": 0, "high": 1} for name in "xy"})

    def optimum(size, best):
        evaluated, rng = Evaluated(space, np.empty((0, 2)), best), np.random.default_rng(0)
        candidates = SobolGrid(size, around_best=2).generate(evaluated, rng)
        return GradientRefinement(2)(criterion, candidates, evaluated, rng)

    best = optimum(64, np.zeros(2))
    near, alone = (optimum(2, around) for around in (best, np.zeros(2)))  # (0, 0) and (.5, .5)
    assert np.abs(near - best).max() < 0.01
    assert not np.abs(alone - best).max() < 0.01
