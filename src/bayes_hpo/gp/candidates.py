"""Where a maximum is looked for first: a fixed Sobol grid of the unit cube, and points around the best trial."""

import functools
import math

import numpy as np
from scipy.spatial import cKDTree
from scipy.stats.qmc import Sobol

SPREAD = 1e-3  # standard deviation of the points around the best, in units of the cube
SAME = 1e-9  # points of the cube that lie nearer than this in every coordinate are one


@functools.cache
def sobol_grid(d, size):
    """The first `size` points (size, d) of the unscrambled Sobol sequence: (0, ..., 0), (.5, ..., .5), ...

    The same in every run (docs/decisions.md, Spearmint). The array is shared, so it cannot be written to.
    """
    grid = Sobol(d, scramble=False).random_base2(math.ceil(math.log2(size)))[:size]
    grid.flags.writeable = False
    return grid


@functools.cache
def _tree(d, size):
    return cKDTree(sobol_grid(d, size))


def unused(d, size, points):
    """Points (g, d) of the Sobol grid at which none of the points (n, d) lies."""
    near = _tree(d, size).query_ball_point(points, SAME, p=math.inf)
    return np.delete(sobol_grid(d, size), [index for found in near for index in found], axis=0)


def around(best, count, rng):
    """Points (count, d) drawn from N(best, .001^2 I) and clipped to the cube; best (d,)."""
    return np.clip(best + SPREAD * rng.standard_normal((count, len(best))), 0, 1)
