"""Candidates for the maximum of a criterion: a Sobol grid and points around the best trial, or samples of the space.

Each kind keeps the contract `Candidates`: the initial design (`initial`), the points as the surrogate sees them
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

DEVIATION = 1e-3  # of the points around the best, in units of the cube (Spearmint's)
SAME = 1e-9  # points of the cube nearer than this in every coordinate count as equal
MOST = 10**7  # candidates


@dataclass(frozen=True)
class SobolGrid:
    """Spearmint's candidates: `size` points of the Sobol sequence, and `around_best` points around the best trial.

    The surrogate sees points as they are. There is always a new candidate: one around the best.
    """

    size: Annotated[int, Range(ge=2, le=MOST)]
    around_best: Annotated[int, Range(ge=1, le=MOST)]

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t, before there is a surrogate (D13)."""
        return sobol_grid(len(evaluated.space), self.size)[t]

    def transform(self, space: Space, points: NDArray) -> NDArray:
        """Points (n, d) as the surrogate sees them."""
        return points

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        """Candidates (m, d): the points of the grid that were not evaluated, and those around the best."""
        unused_points = unused(len(evaluated.space), self.size, evaluated.points)
        return np.concatenate([unused_points, around(evaluated.best, self.around_best, rng)])


class UniformStart(SobolGrid):
    """The same after an initial design of uniform draws of the cube, one for each trial whatever the searcher (D13)."""

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t, before there is a surrogate."""
        return seeds("initial", t).random(len(evaluated.space))


@dataclass(frozen=True)
class Samples:
    """`size` random samples of the space, new ones for every trial (thesis, 5.5).

    The surrogate sees rounded values, and of inactive hyperparameters what was drawn.
    """

    size: Annotated[int, Range(ge=1, le=MOST)]

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t, before there is a surrogate: the same for every searcher of this kind (D5.6)."""
        return evaluated.first_new(self.generate(evaluated, seeds("initial", t)))

    def transform(self, space: Space, points: NDArray) -> NDArray:
        """Points (n, d) as the surrogate sees them."""
        return space.round_to_grid(points)

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        """Candidates (size, d)."""
        return self.transform(evaluated.space, evaluated.space.draw(self.size, rng))


class ImputedSamples(Samples):
    """The same, inactive coordinates imputed (thesis, 5.3.1): at their defaults, or where the space says."""

    def transform(self, space: Space, points: NDArray) -> NDArray:
        return space.impute(space.round_to_grid(points))


class ScrambledSobol(ImputedSamples):
    """`size` points of a scrambled Sobol sequence, another one for every trial (Lacoste et al. 2014, 6; D11).

    The initial design is that of random search, trial for trial (D12).
    """

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t, before there is a surrogate."""
        return evaluated.space.draw(1, seeds("proposal", t))[0]

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        sequence = Sobol(len(evaluated.space), rng=rng).random_base2(math.ceil(math.log2(self.size)))
        return self.transform(evaluated.space, evaluated.space.from_uniform(sequence[: self.size]))


@functools.cache
def sobol_grid(d: int, size: int) -> NDArray:
    """The first `size` points (size, d) of the unscrambled Sobol sequence: (0, ..., 0), (.5, ..., .5), ...

    The same in every run (docs/decisions.md, Spearmint). The array is shared, so it cannot be written to.
    """
    grid = Sobol(d, scramble=False).random_base2(math.ceil(math.log2(size)))[:size]
    grid.flags.writeable = False
    return grid


@functools.cache
def _tree(d, size):
    return cKDTree(sobol_grid(d, size))


def unused(d: int, size: int, points: NDArray) -> NDArray:
    """Points (g, d) of the Sobol grid at which none of the points (n, d) lies."""
    near = _tree(d, size).query_ball_point(points, SAME, p=math.inf) if len(points) else []
    return np.delete(sobol_grid(d, size), [index for indices in near for index in indices], axis=0)


def around(best: NDArray, count: int, rng: Generator) -> NDArray:
    """Points (count, d) drawn from N(best, .001^2 I) and clipped to the cube; best (d,)."""
    return np.clip(best + DEVIATION * rng.standard_normal((count, len(best))), 0, 1)
