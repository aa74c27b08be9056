"""Losses of ensembles as functions of the margin, or of its mean and the disagreement (thesis, 4.3)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bayes_hpo.configuration.limits import PositiveInt, Range
from bayes_hpo.ensembles.margins import c_bound_loss, margin_loss, sigmoid_loss, squared_margin_loss
from bayes_hpo.measures.searches import Grid

Points = Annotated[int, Range(ge=2, le=10_000)]


def zero_one_loss(M: ArrayLike) -> NDArray:
    """1 where M <= 0, else 0: with two classes, a tie is an error (eq. 4.9)."""
    return np.where(np.asarray(M) <= 0, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class LossCurves:
    """Losses of one row as functions of its margin M.

    points: number of points of each curve, from M = -1 to 1.
    slope: slope a of the sigmoid.
    members: size m of the ensemble whose m + 1 possible margins are marked.
    """

    points: Points
    slope: Annotated[float, Range(gt=0, le=100)]
    members: PositiveInt

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns loss (zero_one, margin, squared_margin, sigmoid), kind, M, value, slope and members.

        kind: curve; or possible, at the margins 2 k / m - 1 of an ensemble of m members.
        """
        of = {
            "zero_one": zero_one_loss,
            "margin": margin_loss,
            "squared_margin": squared_margin_loss,
            "sigmoid": lambda M: sigmoid_loss(M, self.slope),
        }
        # an even number of points leaves out M = 0, so that the step of the zero-one loss falls between two points
        margins = {
            "curve": np.linspace(-1, 1, self.points),
            "possible": 2 * np.arange(self.members + 1) / self.members - 1,
        }
        frames = [
            pd.DataFrame({"loss": name, "kind": kind, "M": M, "value": loss(M)})
            for name, loss in of.items()
            for kind, M in margins.items()
        ]
        return pd.concat(frames, ignore_index=True).assign(slope=self.slope, members=self.members)


@dataclass(frozen=True, kw_only=True)
class LossSurfaces:
    """Losses of a set of rows as functions of mu1, the mean of M, and the disagreement d = (1 - mu2) / 2.

    points: number of points along each axis, mu1 from -1 to 1 and d from 0 to 1/2.
    """

    points: Points

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns loss (squared_margin, c_bound), mu1, disagreement and value.

        value is NaN where the moments are impossible, mu1^2 > mu2 (eq. 4.16 to 4.22).
        """
        mu1, d = np.meshgrid(np.linspace(-1, 1, self.points), np.linspace(0, 0.5, self.points))
        mu2 = 1 - 2 * d
        # the mean of (1 - M)^2 / 4 is (1 - 2 mu1 + mu2) / 4 = (1 - mu1 - d) / 2
        values = {"squared_margin": (1 - mu1 - d) / 2, "c_bound": c_bound_loss(mu1, mu2)}
        possible = mu1**2 <= mu2 + 1e-12  # tolerates rounding errors on the boundary
        frames = [
            pd.DataFrame({"loss": name, "mu1": mu1.ravel(), "disagreement": d.ravel(), "value": value.ravel()})
            for name, value in ((name, np.where(possible, value, np.nan)) for name, value in values.items())
        ]
        return pd.concat(frames, ignore_index=True)
