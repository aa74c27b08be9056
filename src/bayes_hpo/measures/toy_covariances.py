"""Covariance matrices of one sample of a small conditional space under several kernels (thesis, 5.3.1 and 5.4)."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import Range
from bayes_hpo.measures.searches import Grid
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.conditional import Conditional
from bayes_hpo.surrogates.gp.laplace import Laplace
from bayes_hpo.surrogates.gp.mondrian import Mondrian, mondrian_kernel
from bayes_hpo.surrogates.gp.stationary import SquaredExponential

FIXED: Any = None  # no prior is needed, because the length is given


@dataclass(frozen=True, kw_only=True)
class ToyCovariances:
    """Covariances of one sample of points.

    points: number of points, uniform in the unit cube and sorted by the first hyperparameter, the root.
    length: length of the squared exponential kernel exp(-|x - x'|^2 / length), as printed (thesis, eq. 5.5).
    laplace_length: length of the Laplace kernel; its inverse is the lifetime of the Mondrian partitions.
    partitions: number of Mondrian partitions.
    """

    space: Space
    points: Annotated[int, Range(ge=1, le=1000)]
    length: Annotated[float, Range(ge=1e-6, le=1e6)]
    laplace_length: Annotated[float, Range(ge=0.1, le=1e6)]  # shorter lengths would give too many cells
    partitions: Annotated[int, Range(ge=1, le=1000)]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns kernel, length, partitions, row, column (from 0), choice (the root of the row) and value.

        kernel: random, squared exponential with inactive hyperparameters at random values; imputed, the same with
            inactive hyperparameters at the middle; conditional, imputed, but zero where the active conditions differ;
            laplace or mondrian, both imputed.
        length: length of the kernel; for mondrian, of the Laplace kernel that it approximates.
        partitions: number of partitions for mondrian, else 0.
        """
        seeds = Seeds(grid.owner, "toy", 0)
        drawn = self.space.round_to_grid(seeds("sample").random((self.points, len(self.space))))
        drawn = drawn[np.argsort(drawn[:, 0], kind="stable")]
        imputed = self.space.impute(drawn)
        lifetime, rng = 1 / self.laplace_length, seeds("mondrian")
        draws = [Mondrian.draw(len(self.space), lifetime, rng) for _ in range(self.partitions)]
        squared, scale = SquaredExponential(FIXED), math.sqrt(self.length / 2)  # exp(-|x - x'|^2 / (2 scale^2))
        matrices = {
            ("random", self.length, 0): gram(squared, drawn, scale),
            ("imputed", self.length, 0): gram(squared, imputed, scale),
            ("conditional", self.length, 0): gram(Conditional(squared, self.space), imputed, scale),
            ("laplace", self.laplace_length, 0): gram(Laplace(FIXED), imputed, self.laplace_length),
            ("mondrian", self.laplace_length, self.partitions): mondrian_kernel(imputed, draws),
        }
        root = next(iter(self.space.parameters))
        choices = [self.space.decode(u)[root] for u in drawn]
        return pd.concat([_tidy(*key, matrix, choices) for key, matrix in matrices.items()], ignore_index=True)


def gram(kernel: Any, points: NDArray, length: float) -> NDArray:
    """Covariance matrix (n, n) of points (n, d) under a kernel with the same length in every dimension."""
    return kernel.gram(np.full(points.shape[1], length), points)


def _tidy(kernel, length, partitions, matrix, choices):
    rows, columns = np.indices(matrix.shape)
    cells = {"row": rows.ravel(), "column": columns.ravel(), "value": matrix.ravel()}
    settings = {"kernel": kernel, "length": length, "partitions": partitions}
    return pd.DataFrame({**settings, **cells, "choice": np.repeat(choices, len(choices))})
