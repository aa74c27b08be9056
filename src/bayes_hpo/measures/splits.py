"""The role of each row in the first iterations of every protocol (thesis, 3.2, figure 3.2)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import Range
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import stated
from bayes_hpo.measures.searches import Grid
from bayes_hpo.seeds import Seeds
from bayes_hpo.splits import draw_parts
from bayes_hpo.storage.layout import data_file


@dataclass(frozen=True, kw_only=True)
class Splits:
    """The splits of repetition 0 of a data set, as drawn by the study (D1, D2, D3, D11).

    protocols: name -> Protocol.
    iterations: number of rounds.
    test_percent, training_cap: as in the study.
    """

    dataset: str
    protocols: dict
    iterations: Annotated[int, Range(ge=1, le=1000)]
    test_percent: Annotated[int, Range(ge=1, le=99)]
    training_cap: Annotated[int, Range(ge=2, le=1e9)]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with one row per protocol, iteration, fold and row of the data.

        iteration, fold: numbers from 1.
        row: number from 0, in the order of the data set.
        part: role of the row: train, validation, selection or test.
        Raises: RunError when the data set is not prepared.
        """
        data = Data.load(data_file(self.dataset, grid.results), stated(self.dataset))
        seeds = Seeds(grid.owner, data.name, 0)
        bands = [
            band.assign(dataset=data.name, protocol=name)
            for name, protocol in self.protocols.items()
            for band in self._bands(protocol, data, seeds)
        ]
        return pd.concat(bands, ignore_index=True)

    def _bands(self, protocol, data, seeds):
        """Yield one frame of all rows per iteration and fold of a protocol."""
        given = {"given_test": data.given_test, "test_percent": self.test_percent, "training_cap": self.training_cap}
        parts = draw_parts(data.y, protocol, seeds, **given)
        for iteration in range(1, self.iterations + 1):
            draw = protocol.splits.draw(iteration - 1)  # rounds count from 0
            folds = protocol.folds(parts, data.y, draw, seeds, training_cap=self.training_cap)
            for fold, rows in enumerate(folds, start=1):
                band = {"iteration": iteration, "fold": fold, "row": np.arange(len(data.y))}
                yield pd.DataFrame(band | {"part": _part(parts, rows, len(data.y))})


def _part(parts, fold, n):
    """Name of the part (n,) that each row belongs to."""
    names = np.empty(n, dtype=object)
    names[fold.train] = "train"
    names[fold.validation] = "validation"
    names[parts.selection] = "selection"
    names[parts.test] = "test"
    return names
