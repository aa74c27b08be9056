"""A Mondrian partition of the unit square, and the cells that contain some points (thesis, 5.4.2, figure 5.4)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import Range
from bayes_hpo.measures.searches import Grid
from bayes_hpo.seeds import Seeds
from bayes_hpo.surrogates.gp.mondrian import Mondrian


@dataclass(frozen=True, kw_only=True)
class MondrianDraw:
    """A draw of a Mondrian process with this lifetime, and `points` uniform points in the unit square."""

    points: Annotated[int, Range(ge=1, le=1000)]
    lifetime: Annotated[float, Range(ge=0, le=100)]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns kind, cell (from 0), x, y, width and height.

        kind: cell, with its lower left corner and sides; or point, with the cell that contains it and zero sides.
        """
        seeds = Seeds(grid.owner, "toy", 0)
        partition = Mondrian.draw(2, self.lifetime, seeds("partition"))
        points = seeds("points").random((self.points, 2))
        sides = partition.high - partition.low
        cells = np.column_stack([np.arange(len(sides)), partition.low, sides])
        located = np.column_stack([partition.features(points).argmax(axis=1), points, np.zeros((self.points, 2))])
        frames = {"cell": cells, "point": located}
        columns = ["cell", "x", "y", "width", "height"]
        parts = [pd.DataFrame(rows, columns=columns).assign(kind=kind) for kind, rows in frames.items()]
        return pd.concat(parts, ignore_index=True).astype({"cell": int})
