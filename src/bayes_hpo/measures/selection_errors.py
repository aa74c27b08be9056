"""The validation error of the selections of methods along their searches, single models or ensembles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.errors import UserError
from bayes_hpo.measures.searches import Grid, Search, searches
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import FINISHED, Pool


@dataclass(frozen=True, kw_only=True)
class SelectionErrors:
    """Validation errors of ensembles of trials with stored predictions; scores contain only those of single models.

    methods: methods whose searches are read.
    selectors: name -> selector, for all selectors of the methods.
    """

    methods: list[str]
    selectors: Mapping[str, Any]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per search and trial: the columns of `RunStatistics`, iteration (from 1) and validation_loss.

        validation_loss: loss of the method's selection from the first `iteration` trials.
        value: the lowest validation loss so far, percent.
        quantity: validation_error after the last trial, else validation_error_<iteration>.
        There are no rows before the first finished trial.
        Raises: UserError for a method whose selector is not among `selectors`; RunError when a pool is missing or
        damaged.
        """
        found = searches(grid, self.methods)
        return pd.DataFrame(row for search in found for row in self._rows(search, grid.methods[search.key["method"]]))

    def _rows(self, search: Search, method: Mapping[str, Any]) -> Iterator[dict]:
        if method["selector"] not in self.selectors:
            raise UserError(unknown("measure.selectors", method["selector"], self.selectors))
        select, pool = self.selectors[method["selector"]], search.pool
        task, lowest = build(pool.provenance["job"]["task"], "study.task"), np.inf
        finished = np.cumsum([trial.status == FINISHED for trial in pool])
        for t in np.flatnonzero(finished) + 1:  # after failed trials too: they refill a slot of EO
            error = selection_error(select(pool[:t], search.seeds), pool, search, task)
            lowest = min(lowest, error)
            quantity = "validation_error" if t == len(pool) else f"validation_error_{t}"
            so_far = {"quantity": quantity, "value": 100 * lowest}
            yield search.key | {"iteration": t, "validation_loss": error} | so_far


def selection_error(ensemble: Ensemble, pool: Pool, search: Search, task: Task) -> float:
    """The validation loss of an ensemble of trials of a pool: the mean over the folds of the means over their rows."""
    trials = [pool[member.trial] for member in ensemble.members if member.trial is not None]
    if len(trials) == 1:
        return trials[0].loss
    predictions, truth = np.array([trial.predictions for trial in trials]), pool.history.truth
    assert truth is not None  # stored with predictions
    losses = task.losses(ensemble.combined(predictions, search.seeds("vote")), truth.y)
    return float(fold_means(losses, truth.folds).mean())


def fold_means(losses: NDArray, folds: NDArray) -> NDArray:
    """Means (n_folds,) of the losses (n,) of rows, grouped by fold number (n,)."""
    sizes = np.bincount(folds)
    return np.bincount(folds, losses)[sizes > 0] / sizes[sizes > 0]
