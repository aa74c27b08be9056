"""The points that a search has evaluated, and a criterion that excludes them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.contracts import Criterion, EvaluatedPoints, Trials
from bayes_hpo.spaces.space import Space

POINT = "point"  # key in a trial's memory: the point of the cube at which it was proposed
DECIMALS = 9  # points of the cube that agree to so many decimals count as equal


def proposed_points(trials: Trials, space: Space) -> NDArray:
    """Points (n, d) of the cube at which n trials were proposed.

    They are read from the trials' memory if it holds all of them. Otherwise they are encoded from the configurations,
    where all points of the same integer or category become one.
    """
    proposals = [trials[t].proposal for t in range(len(trials))]
    memories = [proposal.memory for proposal in proposals]
    if all(POINT in memory for memory in memories):
        return np.array([memory[POINT] for memory in memories]).reshape(len(memories), len(space))
    return space.encode([proposal.configuration for proposal in proposals])


@dataclass(frozen=True)
class Evaluated:
    """The evaluated points of a search.

    space: search space.
    points (n, d): points of the trials; in a search, in order of increasing loss.
    best (d,): point of the lowest loss; None before any observation.
    Points are compared as given to the surrogate (`Candidates.transform`): if they are imputed, points that differ in
    inactive coordinates only are equal (D5.12).
    """

    space: Space
    points: NDArray
    best: NDArray | None

    def contains(self, points: NDArray) -> NDArray:
        """Whether each of the points (m, d), as given to the surrogate, has been evaluated (m,)."""
        return np.array([key in self._keys for key in self._rows(points)], dtype=bool)

    def first_new(self, points: NDArray) -> NDArray:
        """The first of the points (m, d) not yet evaluated; the very first if all have been (D5.12)."""
        return points[np.argmin(self.contains(points))]

    @cached_property
    def _keys(self):
        return set(self._rows(self.points))

    def _rows(self, points):
        # adding 0.0 turns -0.0 into 0.0, whose bytes are different
        return [row.tobytes() for row in points.round(DECIMALS) + 0.0]


@dataclass(frozen=True)
class ExcludeEvaluated:
    """A criterion that is -inf at evaluated points (D5.12)."""

    criterion: Criterion
    evaluated: EvaluatedPoints

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d); -inf at evaluated points."""
        return np.where(self.evaluated.contains(points), -np.inf, self.criterion.values(points))
