"""Exchanges: random configurations that differ from a given one in one hyperparameter, and in those that it affects."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.spaces.space import Space

Step = Callable[[Any, float, Generator], float]  # hyperparameter, coordinate, rng -> new coordinate
ATTEMPTS = 10  # draws per wanted configuration, as some are forbidden or change nothing


def exchanges(space: Space, points: NDArray, count: int, step: Step, rng: Generator) -> NDArray:
    """Points (m, d), imputed and allowed: `count` for each of the points (k, d), or fewer if too few draws are valid.

    Each moves one active coordinate of its point, chosen at random; hyperparameters that become active are sampled.
    step: draws the new coordinate.
    """
    parameters, size = list(space.parameters.values()), ATTEMPTS * count
    starts = np.repeat(points, size, axis=0)
    active = np.repeat(space.active(points), size, axis=0)
    moved = np.where(active, starts, space.draw(len(starts), rng))
    columns = np.where(active, rng.random(active.shape), -1).argmax(axis=1)
    for near, column in zip(moved, columns, strict=True):
        near[column] = step(parameters[column], float(near[column]), rng)
    moved = space.impute(space.round_to_grid(moved))
    valid = (space.allowed(moved) & (moved != starts).any(axis=1)).reshape(-1, size)
    first = valid & (valid.cumsum(axis=1) <= count)
    return moved[first.ravel()]


def resampled(parameter: Any, u: float, rng: Generator) -> float:
    """A coordinate drawn as in a random configuration."""
    return float(parameter.from_uniform(rng.random(1))[0])
