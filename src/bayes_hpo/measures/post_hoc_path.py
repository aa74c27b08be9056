"""The errors of a post-hoc ensemble after each step of its selection (thesis, 4.1, figure 4.1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import devnull
from typing import Annotated

import pandas as pd

from bayes_hpo.configuration.limits import Range
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import stated
from bayes_hpo.ensembles.combine import Vote
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.measures.searches import Grid, searches
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.refit import Refit
from bayes_hpo.scoring.score import score
from bayes_hpo.selection.post_hoc import PostHoc
from bayes_hpo.storage.layout import data_file


@dataclass(frozen=True, kw_only=True)
class PostHocPath:
    """Errors along the path of a post-hoc selection.

    methods: methods whose searches are read.
    selector: the post-hoc selection.
    refit_cap: maximum number of rows of a refit.
    """

    methods: list[str]
    selector: PostHoc
    refit_cap: Annotated[int, Range(ge=2, le=1e9)]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per data set, repetition and step (the number of votes, from 1).

        validation_loss, test_error: errors of the ensemble after the step, as fractions.
        trials: number of trials of the search.
        single_loss, single_error: errors of the best single model, the same in every step.
        As in scores, models are trained on all rows outside the test part, and ties of votes are broken equally.
        Raises: RunError when a pool is missing or damaged.
        """
        return pd.concat([self._path(grid, search) for search in searches(grid, self.methods)], ignore_index=True)

    def _path(self, grid, search):
        """The frame of one search."""
        votes = StoredVotes.of(search.pool.history, search.seeds, self.selector.ties)
        trials, losses = self.selector.greedy.path(votes, search.seeds)
        best, *errors = self._test_errors(grid, search, [trials[:1], *(trials[: k + 1] for k in range(len(trials)))])
        rows = {"step": range(1, len(trials) + 1), "validation_loss": losses, "test_error": errors}
        single = {"trials": len(search.pool), "single_loss": votes.losses[trials[0]], "single_error": best}
        key = {name: search.key[name] for name in ("dataset", "repetition")}
        return pd.DataFrame(rows).assign(**key, **single)

    def _test_errors(self, grid, search, ensembles) -> Iterator[float]:
        """Yield the test error of each ensemble (list of arrays of trials)."""
        dataset = search.key["dataset"]
        data = Data.load(data_file(dataset, grid.results), stated(dataset))
        repetition = Repetition.of(search.pool.provenance["job"], data, search.key["repetition"])
        predict = Refit(repetition, most=self.refit_cap, store=devnull, fingerprint="")  # without a store
        configurations, y_test = search.pool.history.configurations, data.y[repetition.parts.test]
        for members in ensembles:
            ensemble = Ensemble.of_trials(configurations, members, Vote(self.selector.ties))
            yield float(score(ensemble, predict, y_test, search.seeds("vote"), repetition.task).mean())
