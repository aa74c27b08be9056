"""Errors of ensembles by size, along forward selection from a pool (thesis, 4.4.3; uai2016, 4.3)."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from bayes_hpo.data.prepared import Data
from bayes_hpo.ensembles.combine import Vote
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.ensembles.greedy import Path
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.measures.run_statistics import RunStatistics
from bayes_hpo.measures.searches import Grid, Search, searches
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.as_trained import AsTrained
from bayes_hpo.scoring.score import score
from bayes_hpo.selection.post_hoc import PostHoc
from bayes_hpo.storage.layout import data_file


@dataclass(frozen=True, kw_only=True)
class EnsembleSizes:
    """Validation and test error after each step, with the models of the search itself.

    methods: methods whose pools are read.
    selector: selector of these methods, a forward selection by the error of the vote.
    """

    methods: list[str]
    selector: PostHoc

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns dataset, repetition, validation, method, size, validation_error, test_error (fractions).

        At full size, the test error is the score of the method.
        Raises: RunError when a pool is missing or damaged, or stores no predictions.
        """
        data = {name: Data.load(data_file(name, grid.results)) for name in grid.datasets}
        found = searches(grid, self.methods)
        return pd.DataFrame(row for search in found for row in self._rows(search, data[search.key["dataset"]]))

    def _rows(self, search: Search, data: Data) -> Iterator[dict]:
        """Yield one row per size of the ensemble of a search."""
        repetition = Repetition.of(search.pool.provenance["job"], data, search.seeds.repetition)
        predict, y_test = AsTrained(search.path), data.y[repetition.parts.test]
        path, configurations = steps(self.selector, search), search.pool.history.configurations
        for size, loss in enumerate(path.losses, start=1):
            ensemble = Ensemble.of_trials(configurations, path.trials[:size], Vote(self.selector.ties))
            losses = score(ensemble, predict, y_test, search.seeds("vote"), repetition.task)
            yield search.key | {"size": size, "validation_error": loss, "test_error": losses.mean()}


@dataclass(frozen=True, kw_only=True)
class VoteLoss(RunStatistics):
    """The validation error of the full ensemble; selector: selector of the methods, a forward selection."""

    selector: PostHoc

    def statistics(self, search: Search) -> dict[str, float]:
        """vote_loss, percent."""
        return {"vote_loss": 100 * steps(self.selector, search).losses[-1]}


def steps(selector: PostHoc, search: Search) -> Path:
    """The path of a forward selection from the pool of a search."""
    return selector.greedy.path(StoredVotes.of(search.pool.history, search.seeds, selector.ties), search.seeds)
