"""Covariance matrices of one sample of a small conditional space under several kernels (thesis, 5.3.1 and 5.4)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayes_hpo.errors import UserError
from bayes_hpo.gp.mondrian import Mondrian, mondrian_kernel
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True, kw_only=True)
class ToyCovariances:
    """points: how many, uniform in the unit cube and sorted by the first hyperparameter, which is the root.

    length: of the squared exponential kernel. laplace_length: of the Laplace kernel, whose inverse is the lifetime of
    the Mondrian partitions; partitions: how many of them. Raises: UserError when one of them is not above zero.
    """

    space: Space
    points: int
    length: float
    laplace_length: float
    partitions: int

    def __post_init__(self):
        if not min(self.points, self.length, self.laplace_length, self.partitions) > 0:
            raise UserError(f"points={self.points}, partitions={self.partitions} and both lengths must be above 0")

    def __call__(self, grid):
        """Frame with columns kernel, row, column (from 0), choice (the root of the row) and value.

        kernel: random (squared exponential, inactive hyperparameters at their random values), imputed (the same, these
        at the middle), conditional (that times one where the conditions are the same, else zero), laplace or mondrian
        (imputed too).
        """
        seeds = Seeds(grid.owner, "toy", 0)
        drawn = self.space.snap(seeds("sample").random((self.points, len(self.space))))
        drawn = drawn[np.argsort(drawn[:, 0], kind="stable")]
        imputed, signatures = self.space.impute(drawn), self.space.signatures(drawn)
        lifetime, rng = 1 / self.laplace_length, seeds("mondrian")
        draws = [Mondrian.draw(len(self.space), lifetime, rng) for _ in range(self.partitions)]
        same = signatures[:, None] == signatures
        matrices = {
            "random": squared_exponential(drawn, self.length),
            "imputed": squared_exponential(imputed, self.length),
            "conditional": squared_exponential(imputed, self.length) * same,  # thesis, eq. 5.9
            "laplace": laplace(imputed, self.laplace_length),
            "mondrian": mondrian_kernel(imputed, draws),
        }
        root = next(iter(self.space.parameters))
        choices = [self.space.decode(u)[root] for u in drawn]
        return pd.concat([_tidy(name, matrix, choices) for name, matrix in matrices.items()], ignore_index=True)


def squared_exponential(points, length):
    """exp(-|x - x'|^2 / length) of points (n, d): (n, n).  # thesis, eq. 5.5, as printed"""
    return np.exp(-((points[:, None] - points) ** 2).sum(axis=-1) / length)


def laplace(points, length):
    """exp(-|x - x'|_1 / length) of points (n, d): (n, n).  # thesis, eq. 5.15"""
    return np.exp(-np.abs(points[:, None] - points).sum(axis=-1) / length)


def _tidy(kernel, matrix, choices):
    rows, columns = np.indices(matrix.shape)
    cells = {"row": rows.ravel(), "column": columns.ravel(), "value": matrix.ravel()}
    return pd.DataFrame({"kernel": kernel, **cells, "choice": np.repeat(choices, len(choices))})
