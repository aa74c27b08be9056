"""SMAC's local search: on to the first neighbour, in random order, that is better, until there is none."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from bayes_hpo.acquisition.local_search import climb
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.parameters import Category


@dataclass(frozen=True)
class FirstImprovement:
    """Climbs from the best trial and from the best candidates (docs/decisions.md, D5.14).

    starts: how many climbs, that from the best trial among them. draws, deviation: how many neighbours of a number are
    drawn from a normal distribution around it, cut off at the cube, and its standard deviation in units of the cube.
    threshold: the least gain that is a step. steps: the most that a climb takes.
    Raises: UserError for a setting that is too low.
    """

    starts: int
    draws: int
    deviation: float
    threshold: float
    steps: int

    def __post_init__(self):
        if min(self.starts, self.draws) < 1 or self.steps < 0:
            raise UserError(f"starts={self.starts} and draws={self.draws} must be at least 1, steps={self.steps} 0")
        if not (self.deviation > 0 and self.threshold >= 0):
            raise UserError(f"deviation={self.deviation:g} must be above 0, threshold={self.threshold:g} at least 0")

    def __call__(self, criterion, candidates, tried, rng):
        """The best point (d,) of the candidates (c, d) and the ends of the climbs that was not tried (D5.12).

        The first of equals wins, so where the criterion is flat the first candidate does.
        """
        values = criterion.values(candidates)
        best = np.argsort(-values, kind="stable")[: self.starts - 1]
        starts = np.concatenate([tried.best[None], candidates[best]])
        ends, heights = climb(
            criterion,
            starts,
            criterion.values(starts),
            lambda point: self.neighbours(tried.space, point, rng),
            self.threshold,
            self.steps,
            choose=first,
        )
        points = np.concatenate([candidates, ends])
        return points[np.argmax(np.where(tried.holds(points), -np.inf, np.append(values, heights)))]

    def neighbours(self, space, point, rng):
        """Points (m, d), imputed, that differ from the imputed `point` (d,) in one active coordinate, in random order.

        A number (an ordered category too) moves to what was drawn, where that is another one; a category to any other.
        """
        near = space.neighbours(point, lambda p, u: self._beside(p, u, rng))
        return rng.permutation(near[(near != point).any(axis=1)])

    def _beside(self, p, u, rng):
        if isinstance(p, Category) and not p.ordered:
            return p.neighbours(u)
        low, high = ndtr([-u / self.deviation, (1 - u) / self.deviation])  # what lies below and above the bounds
        drawn = u + self.deviation * ndtri(low + (high - low) * rng.random(self.draws))
        return np.clip(drawn, 0, 1)  # it is rounding that may leave the cube


def first(values, bar):
    """The place of the first of the values (m,) that is above the bar."""
    return (values > bar).argmax()
