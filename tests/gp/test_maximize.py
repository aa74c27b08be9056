"""Laws of the maximiser."""

import numpy as np
import pytest

from bayes_hpo.gp.maximize import around, maximize, sobol_grid, unused


class Function:
    """A criterion from a function of points (m, d) and its gradient."""

    def __init__(self, function, gradient):
        self.values, self.gradient = function, gradient

    def values_and_gradients(self, points):
        return self.values(points), self.gradient(points)


def _hill(top, scale=1.0):
    top = np.array(top)
    return Function(lambda p: -scale * ((p - top) ** 2).sum(axis=1), lambda p: -2 * scale * (p - top))


def _waves(seed):
    """A sum of cosines with many local maxima."""
    rng = np.random.default_rng(seed)
    w, phase = rng.normal(0, 12, (6, 2)), rng.random(6) * 6
    return Function(
        lambda p: np.cos(p @ w.T + phase).sum(axis=1),
        lambda p: -np.sin(p @ w.T + phase) @ w,
    )


def test_the_grid_starts_as_spearmints():
    expected = [[0, 0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375]]
    np.testing.assert_array_equal(sobol_grid(2, 20_000)[:5], expected)


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_a_smaller_grid_is_the_start_of_a_larger_one(size):
    np.testing.assert_array_equal(sobol_grid(3, size), sobol_grid(3, 1024)[:size])


def test_the_shared_grid_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        sobol_grid(2, 8)[0, 0] = 1


@pytest.mark.parametrize("top", [[0.31, 0.62], [0.0, 1.0], [0.001, 0.5]])
def test_the_top_of_a_hill_is_found(top):
    grid = sobol_grid(2, 64)
    found = maximize(_hill(top), grid, extra=grid[:1], refined=5)
    np.testing.assert_allclose(found, top, atol=1e-5)


def test_a_top_outside_the_cube_gives_the_nearest_point_inside():
    grid = sobol_grid(2, 64)
    found = maximize(_hill([1.7, 0.25]), grid, extra=grid[:1], refined=5)
    np.testing.assert_allclose(found, [1.0, 0.25], atol=1e-5)
    assert found.max() <= 1


@pytest.mark.parametrize("seed", range(5))
def test_the_result_is_at_least_as_high_as_every_start(seed):
    criterion, grid = _waves(seed), sobol_grid(2, 300)
    extra = around(grid[17], 10, np.random.default_rng(seed))
    found = maximize(criterion, grid, extra=extra, refined=20)
    dense = np.random.default_rng(seed).random((20_000, 2))
    assert criterion.values(found[None])[0] >= criterion.values(np.concatenate([grid, extra])).max()
    assert criterion.values(found[None])[0] >= criterion.values(dense).max()


def test_the_unit_of_the_criterion_does_not_matter():
    grid = sobol_grid(2, 64)
    points = [maximize(_hill([0.3, 0.6], scale), grid, extra=grid[:1], refined=5) for scale in (1e-12, 1.0, 1e6)]
    np.testing.assert_allclose(points[1:], [points[0]] * 2, atol=1e-6)


def test_the_highest_of_grid_and_extra_points_are_refined():
    hill, refined = _hill([0.3, 0.6]), []
    watched = Function(hill.values, lambda p: refined.append(p.copy()) or hill.gradient(p))
    grid, extra = sobol_grid(2, 64), np.array([[0.31, 0.61], [0.9, 0.1]])
    maximize(watched, grid, extra=extra, refined=4)
    starts = np.concatenate([grid, extra])
    np.testing.assert_array_equal(refined[0], starts[np.argsort(-hill.values(starts))[:4]])
    assert extra[0] in refined[0]


FLAT = Function(lambda p: np.zeros(len(p)), np.zeros_like)


def test_the_first_of_equals_wins():
    grid = sobol_grid(2, 64)[3:]
    np.testing.assert_array_equal(maximize(FLAT, grid, extra=grid[5:6], refined=4), grid[0])


@pytest.mark.filterwarnings("error")
def test_a_criterion_that_is_zero_everywhere_leaves_the_points_where_they_are():
    extra = np.array([[0.2, 0.4]])
    np.testing.assert_array_equal(maximize(FLAT, np.empty((0, 2)), extra=extra, refined=4), extra[0])


def test_a_grid_that_is_used_up_leaves_the_refined_points():
    found = maximize(_hill([0.3, 0.6]), np.empty((0, 2)), extra=np.array([[0.5, 0.5]]), refined=4)
    np.testing.assert_allclose(found, [0.3, 0.6], atol=1e-5)


def test_an_extra_point_starts_a_refinement_and_is_not_chosen_itself():
    hill, extra = _hill([0.3, 0.6]), np.array([[0.31, 0.61]])
    spiked = Function(lambda p: hill.values(p) + 0.1 * (p == extra).all(axis=1), hill.gradient)
    found = maximize(spiked, np.array([[1.0, 0.0]]), extra=extra, refined=2)  # both leave their start: the sum gains
    np.testing.assert_allclose(found, [0.3, 0.6], atol=1e-5)
    assert spiked.values(extra)[0] > spiked.values(found[None])[0]


def test_points_around_the_best_are_near_it_and_inside():
    points = around(np.array([0.0, 0.4]), 2000, np.random.default_rng(0))
    assert points.min() >= 0
    np.testing.assert_allclose(points[:, 1].std(), 1e-3, rtol=0.1)
    np.testing.assert_allclose(points.mean(axis=0), [0.0004, 0.4], atol=1e-4)


def test_used_grid_points_are_left_out_whatever_rounding_did_to_them():
    grid = sobol_grid(2, 64)
    used = np.concatenate([grid[[0, 1, 40]] * (1 + 1e-15) + 1e-15, [[0.123, 0.456]]])
    left = unused(grid, used)
    np.testing.assert_array_equal(left, np.delete(grid, [0, 1, 40], axis=0))
