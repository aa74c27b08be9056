"""What was tried: where a search stands, and which points it need not propose again."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayes_hpo.spaces.space import Space

DECIMALS = 9  # points of the cube that agree in so many decimals are one


@dataclass(frozen=True)
class Tried:
    """points (n, d): those of the trials. best (d,): the one of the lowest loss, None where there is none yet.

    Points are compared as the model sees them (`placed` of `candidates`), so a configuration is known again whatever
    is inactive in it where the model sees imputed points, and only there (D5.12).
    """

    space: Space
    points: np.ndarray
    best: np.ndarray | None

    def holds(self, points):
        """Which of the points (m, d), as the model sees them, were tried (m,)."""
        return np.array([key in self._keys for key in self._rows(points)], dtype=bool)

    def new(self, points):
        """The first of the points (m, d) that was not tried; the first of all where every one was (D5.12)."""
        return points[np.argmin(self.holds(points))]

    @cached_property
    def _keys(self):
        return set(self._rows(self.points))

    def _rows(self, points):
        return [row.tobytes() for row in points.round(DECIMALS) + 0.0]


@dataclass(frozen=True)
class Untried:
    """A criterion (`criteria.Averaged`) that is never highest where something was tried (D5.12)."""

    criterion: object
    tried: Tried

    def values(self, points):
        """Values (m,) at points (m, d); -inf where one was tried."""
        return np.where(self.tried.holds(points), -np.inf, self.criterion.values(points))
