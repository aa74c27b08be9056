"""The probability that one method is better than another on a data set, by trial (Lacoste et al. 2014, 6.2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.errors import RunError
from bayes_hpo.measures.searches import Grid
from bayes_hpo.scoring.row_losses import read_row_losses
from bayes_hpo.seeds import Seeds
from bayes_hpo.stats.poisson_binomial import chances_by_rows, chances_by_weights
from bayes_hpo.storage.layout import score_file

COLUMNS = ["dataset", "repetition", "iteration", "first", "second", "by_rows", "by_weights"]


@dataclass(frozen=True, kw_only=True)
class PairedChances:
    """The probability that the first of two methods has the lower risk, given the losses of both on each test row.

    methods: methods to compare; pairs follow this order.
    """

    methods: list[str]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame of COLUMNS for the data sets that have scores of all methods.

        by_rows: from the numbers of rows on which each method is worse.
        by_weights: from the Bayesian bootstrap (D5, D6).
        Raises: RunError when there is no such data set, or losses are missing or damaged.
        """
        frames = [frame for name in grid.datasets for frame in self._of_dataset(grid, name)]
        if not frames:
            raise RunError(
                f"no data set has scores of {', '.join(self.methods)}; make the scores of {grid.study} first"
            )
        return pd.concat(frames, ignore_index=True)

    def _of_dataset(self, grid: Grid, name: str) -> Iterator[pd.DataFrame]:
        """Yield one frame per repetition that has scores of all methods at some trial."""
        paths = [self._path(grid, name, pool) for pool in grid.pools if {*grid.methods_on(*pool)} & {*self.methods}]
        if not all(path.exists() for path in paths):
            return
        losses = {key: row for path in paths for key, row in read_row_losses(path).items() if key[1] in self.methods}
        keys = pd.DataFrame(losses.keys(), columns=["repetition", "method", "iteration"])
        for repetition, rows in keys.groupby("repetition"):
            steps = [t for t, part in rows.groupby("iteration") if len(part) == len(self.methods)]
            pairs = [(t, a, b) for t in steps for a, b in combinations(self.methods, 2)]
            if pairs:
                differences = np.array([losses[repetition, a, t] - losses[repetition, b, t] for t, a, b in pairs])
                rng = Seeds(grid.draws, name, int(str(repetition)))("paired_chances")
                chances = {"by_rows": chances_by_rows(differences), "by_weights": chances_by_weights(differences, rng)}
                frame = pd.DataFrame(pairs, columns=["iteration", "first", "second"])
                yield frame.assign(dataset=name, repetition=repetition, **chances)[COLUMNS]

    def _path(self, grid: Grid, name: str, pool: tuple[str, str]) -> Path:
        return Path(score_file(grid.scale, grid.study, name, *pool, grid.results))
