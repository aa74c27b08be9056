"""The maximisers of an acquisition over the unit cube: the best candidate, or the best end of climbs from several.

Each is called with a criterion (`criteria.Averaged`), candidates (c, d), what was tried (`tried`) and a
Generator, and returns a point (d,).
"""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.acquisition.refinement import refine
from bayes_hpo.acquisition.screening import screen
from bayes_hpo.acquisition.tried import Untried
from bayes_hpo.errors import UserError


def best_candidate(criterion, candidates, tried, rng):
    """Candidate (d,) with the highest value of the criterion; the first of equals wins."""
    return best_candidates(criterion, candidates, 1)[0][0]


def best_sample(criterion, candidates, tried, rng):
    """The same among the candidates that were not tried, each valued in double precision (thesis, 5.5; D5.12)."""
    return candidates[np.argmax(Untried(criterion, tried).values(candidates))]


@dataclass(frozen=True)
class Climbing:
    """The maximiser whose best candidates climb, as many as `climbers` (docs/decisions.md, Spearmint).

    Raises: UserError for none.
    """

    climbers: int

    def __post_init__(self):
        if self.climbers < 1:
            raise UserError(f"climbers={self.climbers} must be at least 1; or take maximizer=best_candidate")

    def __call__(self, criterion, candidates, tried, rng):
        """Point (d,) of the cube where the highest climb from the candidates (c, d) ends; the first of equals wins."""
        climbed = criterion.climbed()
        starts, unit = best_candidates(climbed, candidates, self.climbers)
        ends, values = refine(climbed, starts, unit=unit)
        return ends[np.argmax(values)]


def best_candidates(criterion, candidates, count):
    """The `count` candidates (count, d) of highest value, highest first, and the unit of the values.

    Twice as many are picked in single precision as are wanted, and those are ranked in double precision.
    """
    rough = screen(criterion, candidates)
    picked = np.sort(np.argsort(-rough, kind="stable")[: 2 * count])
    exact = criterion.values(candidates[picked])
    return candidates[picked[np.argsort(-exact, kind="stable")[:count]]], criterion.unit(rough)
