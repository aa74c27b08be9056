"""Where a maximum is looked for first: a fixed Sobol grid and points around the best trial, or samples of the space.

Each kind says which points the first trials are made at (`first`), at which points the model sees them (`placed`), and
what is offered to a maximiser (`offered`).
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree
from scipy.stats.qmc import Sobol

from bayes_hpo.errors import UserError

SPREAD = 1e-3  # standard deviation of the points around the best, in units of the cube
SAME = 1e-9  # points of the cube that lie nearer than this in every coordinate are one
MOST = 10**7


@dataclass(frozen=True)
class SobolGrid:
    """Spearmint's: the first `size` points of the Sobol sequence, and `around_best` points around the best trial.

    The model sees points as they are. Raises: UserError for a number off its limits.
    """

    size: int
    around_best: int

    def __post_init__(self):
        _check("size", self.size, 2)
        _check("around_best", self.around_best, 1)  # one that was never tried is always there

    def first(self, tried, t, seeds):
        """Point (d,) of trial t, before there is a model (D13)."""
        return sobol_grid(len(tried.space), self.size)[t]

    def placed(self, space, points):
        """Points (n, d) as the model sees them."""
        return points

    def offered(self, tried, rng):
        """Candidates (c, d): the points of the grid at which nothing was tried, and those around the best."""
        unused_points = unused(len(tried.space), self.size, tried.points)
        return np.concatenate([unused_points, around(tried.best, self.around_best, rng)])


@dataclass(frozen=True)
class Samples:
    """`size` random samples of the space, new ones for every trial (thesis, 5.5).

    The model sees rounded values, and of inactive hyperparameters what was drawn. Raises: UserError for none.
    """

    size: int

    def __post_init__(self):
        _check("size", self.size, 1)

    def first(self, tried, t, seeds):
        """Point (d,) of trial t, before there is a model: random, the same for every searcher of this kind (D5.6)."""
        return tried.new(self.placed(tried.space, _drawn(tried.space, self.size, seeds("initial", t))))

    def placed(self, space, points):
        """Points (n, d) as the model sees them."""
        return space.round_to_grid(points)

    def offered(self, tried, rng):
        """Candidates (size, d)."""
        return self.placed(tried.space, _drawn(tried.space, self.size, rng))


class ImputedSamples(Samples):
    """The same, every inactive coordinate at the middle of its range (thesis, 5.3.1)."""

    def placed(self, space, points):
        return space.impute(space.round_to_grid(points))


def _check(name, value, low):
    if not low <= value <= MOST:
        raise UserError(f"candidates.{name}={value:g} must lie between {low:g} and {MOST:g}")


def _drawn(space, size, rng):
    return space.draw(size, rng)


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
    near = _tree(d, size).query_ball_point(points, SAME, p=math.inf) if len(points) else []
    return np.delete(sobol_grid(d, size), [index for found in near for index in found], axis=0)


def around(best, count, rng):
    """Points (count, d) drawn from N(best, .001^2 I) and clipped to the cube; best (d,)."""
    return np.clip(best + SPREAD * rng.standard_normal((count, len(best))), 0, 1)
