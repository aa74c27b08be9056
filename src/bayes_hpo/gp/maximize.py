"""The maximisers of an acquisition over the unit cube: the best candidate, or the best end of climbs from several."""

import functools
import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree
from scipy.stats.qmc import Sobol

from bayes_hpo.errors import UserError
from bayes_hpo.gp.refinement import refine
from bayes_hpo.gp.screening import screen

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


def best_candidate(criterion, candidates):
    """Candidate (d,) with the highest value of the criterion (`acquisition.Averaged`); the first of equals wins."""
    return highest(criterion, candidates, 1)[0][0]


@dataclass(frozen=True)
class Climbing:
    """The maximiser whose best candidates climb, as many as `climbers` (docs/decisions.md, Spearmint).

    Raises: UserError for none.
    """

    climbers: int

    def __post_init__(self):
        if self.climbers < 1:
            raise UserError(f"climbers={self.climbers} must be at least 1; to let none climb take best_candidate")

    def __call__(self, criterion, candidates):
        """Point (d,) of the cube where the highest climb from the candidates (c, d) ends; the first of equals wins."""
        starts, spread = highest(criterion, candidates, self.climbers)
        ends, values = refine(criterion, starts, unit=spread)
        return ends[np.argmax(values)]


def highest(criterion, candidates, count):
    """The `count` candidates (count, d) of highest value, highest first, and the spread of the values.

    Twice as many are picked in single precision as are wanted, and those are ranked in double precision.
    """
    rough = screen(criterion, candidates)
    picked = np.sort(np.argsort(-rough, kind="stable")[: 2 * count])
    exact = criterion.values(candidates[picked])
    return candidates[picked[np.argsort(-exact, kind="stable")[:count]]], float(np.ptp(rough))
