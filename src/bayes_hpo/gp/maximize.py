"""The maximiser of an acquisition over the unit cube: a Sobol grid, points around the best, and L-BFGS-B."""

import functools
import math

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from scipy.stats.qmc import Sobol

SPREAD = 1e-3  # standard deviation of the points around the best, in units of the cube
SAME = 1e-9  # points of the cube that lie nearer than this in every coordinate are one
LIMITS = {"maxcor": 40, "maxiter": 60}  # the batch has many variables, and narrow ridges could take 900 iterations
CHUNK = 500  # grid points valued at once: their covariances stay in the processor's cache


@functools.cache
def sobol_grid(d, size):
    """The first `size` points (size, d) of the unscrambled Sobol sequence: (0, ..., 0), (.5, ..., .5), ...

    The same in every run (docs/decisions.md, Spearmint). The array is shared, so it cannot be written to.
    """
    grid = Sobol(d, scramble=False).random_base2(math.ceil(math.log2(size)))[:size]
    grid.flags.writeable = False
    return grid


def unused(grid, points):
    """Rows of the grid (g, d) at which none of the points (n, d) lies."""
    return grid[cdist(grid, points, "chebyshev").min(axis=1) > SAME]


def around(best, count, rng):
    """Points (count, d) drawn from N(best, .001^2 I) and clipped to the cube; best (d,)."""
    return np.clip(best + SPREAD * rng.standard_normal((count, len(best))), 0, 1)


def maximize(criterion, grid, *, extra, refined):
    """Point (d,) of the cube with the highest value among the grid and refined starts (docs/decisions.md, Spearmint).

    criterion: has values(points (m, d)) -> (m,) and values_and_gradients(points) -> (m,), (m, d). grid (g, d): may be
    chosen. extra (e, d): may only start a refinement, at least one. refined: how many of the highest of both are
    refined. The first of equals wins, grid points first.
    """
    starts = np.concatenate([grid, extra])
    values = np.concatenate([criterion.values(chunk) for chunk in _chunks(starts)])
    highest = np.argsort(-values, kind="stable")[:refined]
    ends = _refine(criterion, starts[highest])
    points = np.concatenate([grid, ends])
    return points[np.argmax(np.concatenate([values[: len(grid)], criterion.values(ends)]))]


def _chunks(points):
    return np.array_split(points, math.ceil(len(points) / CHUNK))


def _refine(criterion, starts):
    """Local maxima (s, d) in the cube from the starts (s, d): one L-BFGS-B run on the sum over all of them.

    The sum is told in units of its first size, so that the stopping rule does not depend on the criterion's scale.
    """
    unit = np.abs(criterion.values(starts)).sum() or 1.0

    def negative_sum(flat):
        values, gradients = criterion.values_and_gradients(flat.reshape(starts.shape))
        return -values.sum() / unit, -gradients.ravel() / unit

    bounds = [(0.0, 1.0)] * starts.size
    end = minimize(negative_sum, starts.ravel(), jac=True, method="L-BFGS-B", bounds=bounds, options=LIMITS)
    return np.clip(end.x.reshape(starts.shape), 0, 1)
