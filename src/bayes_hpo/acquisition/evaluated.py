"""The points that a search has evaluated, which it need not propose again."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.contracts import Criterion, EvaluatedPoints, Trials
from bayes_hpo.spaces.space import Space

POINT = "point"  # name in a trial's memory: where in the cube it was proposed
DECIMALS = 9  # points of the cube that agree in so many decimals count as equal


def proposed_points(trials: Trials, space: Space) -> NDArray:
    """Points (n, d) of the cube at which n trials were proposed.

    The memory of a trial may hold its point; otherwise it is encoded from the configuration, in which many points of an
    integer or a category are one.
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
    points (n, d): those of the trials; in a search those of the lowest losses first.
    best (d,): that of the lowest loss; None before any observation.
    Points are compared as the surrogate sees them (`Candidates.transform`): where it sees imputed points, two that
    differ in inactive coordinates only are equal (D5.12).
    """

    space: Space
    points: NDArray
    best: NDArray | None

    def contains(self, points: NDArray) -> NDArray:
        """Which of the points (m, d), as the surrogate sees them, were evaluated (m,)."""
        return np.array([key in self._keys for key in self._rows(points)], dtype=bool)

    def first_new(self, points: NDArray) -> NDArray:
        """The first of the points (m, d) that was not evaluated; the first of all where every one was (D5.12)."""
        return points[np.argmin(self.contains(points))]

    @cached_property
    def _keys(self):
        return set(self._rows(self.points))

    def _rows(self, points):
        # adding zero turns -0.0 into 0.0, whose bytes differ
        return [row.tobytes() for row in points.round(DECIMALS) + 0.0]


@dataclass(frozen=True)
class ExcludeEvaluated:
    """A criterion that is never highest at an evaluated point (D5.12)."""

    criterion: Criterion
    evaluated: EvaluatedPoints

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d); -inf at those that were evaluated."""
        return np.where(self.evaluated.contains(points), -np.inf, self.criterion.values(points))
