"""Axis-aligned grid search: equally spaced points, ends included, in random order (thesis, 3.3; D14)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.pool import History, Proposal
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True)
class GridSearch:
    """The full grid of `budget` points; a budget of 100 in two dimensions is the 10 x 10 grid."""

    space: Space
    budget: int

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the grid point at position len(history) of the repetition's permutation."""
        t = len(history)
        point = seeds("grid_order").permutation(self.budget)[t]
        # the base-`side` digits of the point's index are its coordinates
        coordinates = np.unravel_index(point, (self.side,) * len(self.space))
        return Proposal(self.space.decode(np.array(coordinates) / (self.side - 1)), round=t)

    @property
    def side(self) -> int:
        """Points per side. Raises: UserError unless the budget is the d-th power of an integer of at least 2."""
        d = len(self.space)
        side = round(self.budget ** (1 / d))
        if side < 2 or side**d != self.budget:
            allowed = ", ".join(str(k**d) for k in (2, 3, 4, 5, 6, 10))
            raise UserError(f"budget={self.budget} is no full grid in {d} dimensions; take one of {allowed}, ...")
        return side
