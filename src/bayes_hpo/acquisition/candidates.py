"""Candidates for maximizing a criterion: a Sobol grid and points around the best trial, or samples of the space.

Each class implements the contract `Candidates`: the initial design (`initial`), the points as given to the surrogate
(`transform`), and the candidates of a maximizer (`generate`).
"""

import functools
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.stats.qmc import Sobol

from bayes_hpo.configuration.limits import Range
from bayes_hpo.contracts import EvaluatedPoints
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

DEVIATION = 1e-3  # standard deviation of the points around the best, in units of the cube (Spearmint)
SAME = 1e-9  # points of the cube closer than this in every coordinate count as equal
MOST = 10**7  # maximum number of candidates


@dataclass(frozen=True)
class SobolGrid:
    """Spearmint's candidates: `size` points of the Sobol sequence, and `around_best` points around the best trial.

    The surrogate is given the points unchanged. There is always a new candidate: one around the best trial.
    """

    size: Annotated[int, Range(ge=2, le=MOST)]
    around_best: Annotated[int, Range(ge=1, le=MOST)]

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t of the initial design: point t of the grid (D13)."""
        return sobol_grid(len(evaluated.space), self.size)[t]

    def transform(self, space: Space, points: NDArray) -> NDArray:
        """Points (n, d), unchanged."""
        return points

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        """Candidates (m, d): the grid points not yet evaluated, and points around the best trial."""
        unused_points = unused(len(evaluated.space), self.size, evaluated.points)
        return np.concatenate([unused_points, around(evaluated.best, self.around_best, rng)])


class UniformStart(SobolGrid):
    """A Sobol grid with an initial design of uniform draws from the cube, the same for every searcher (D13)."""

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t of the initial design."""
        return seeds("initial", t).random(len(evaluated.space))


@dataclass(frozen=True)
class Samples:
    """`size` random samples of the space, new ones for every trial (thesis, 5.5).

    The surrogate is given rounded values; inactive coordinates keep their random values.
    """

    size: Annotated[int, Range(ge=1, le=MOST)]

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t of the initial design, the same for every searcher with such candidates (D5.6)."""
        return evaluated.first_new(self.generate(evaluated, seeds("initial", t)))

    def transform(self, space: Space, points: NDArray) -> NDArray:
        """Points (n, d), rounded to the values that they decode to."""
        return space.round_to_grid(points)

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        """Candidates (size, d)."""
        return self.transform(evaluated.space, evaluated.space.draw(self.size, rng))


class ImputedSamples(Samples):
    """Random samples with inactive coordinates imputed (thesis, 5.3.1): at their defaults, or where the space says."""

    def transform(self, space: Space, points: NDArray) -> NDArray:
        return space.impute(space.round_to_grid(points))


class ScrambledSobol(ImputedSamples):
    """`size` points of a scrambled Sobol sequence, scrambled anew for every trial (Lacoste et al. 2014, 6; D11).

    The initial design consists of the first trials of random search (D12).
    """

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t of the initial design."""
        return evaluated.space.draw(1, seeds("proposal", t))[0]

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        sequence = Sobol(len(evaluated.space), rng=rng).random_base2(math.ceil(math.log2(self.size)))
        return self.transform(evaluated.space, evaluated.space.from_uniform(sequence[: self.size]))


@functools.cache
def sobol_grid(d: int, size: int) -> NDArray:
    """The first `size` points (size, d) of the unscrambled Sobol sequence: (0, ..., 0), (.5, ..., .5), ...

    They are the same in every run (docs/decisions.md, Spearmint). The array is shared and read-only.
    """
    grid = Sobol(d, scramble=False).random_base2(math.ceil(math.log2(size)))[:size]
    grid.flags.writeable = False
    return grid


@functools.cache
def _tree(d, size):
    return cKDTree(sobol_grid(d, size))


def unused(d: int, size: int, points: NDArray) -> NDArray:
    """Points (g, d) of the Sobol grid that coincide with none of the points (n, d)."""
    near = _tree(d, size).query_ball_point(points, SAME, p=math.inf) if len(points) else []
    return np.delete(sobol_grid(d, size), [index for indices in near for index in indices], axis=0)


def around(best: NDArray, count: int, rng: Generator) -> NDArray:
    """Points (count, d) drawn from N(best, .001^2 I) and clipped to the cube; best (d,)."""
    return np.clip(best + DEVIATION * rng.standard_normal((count, len(best))), 0, 1)
