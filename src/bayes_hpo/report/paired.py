"""Methods against each other at every trial: win frequencies, expected ranks, two tests (Lacoste et al. 2014, 6.2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Self

import numpy as np
import pandas as pd

from bayes_hpo.errors import MissingResultsError, RunError
from bayes_hpo.report.caption import stage_command
from bayes_hpo.report.comparison import compare, shared
from bayes_hpo.report.results import Results
from bayes_hpo.stats.poisson_binomial import better_on_most, better_on_most_tasks
from bayes_hpo.stats.win_frequency import expected_ranks, sign_test, signs, win_frequencies

MEASURE = "paired_chances"
STEP, PAIR = ["iteration", "repetition"], ["method", "against"]
LAST = 10  # tables average over the last tenth of the trials: 136 to 150 of 150


def in_order(studies: Iterable[Results], spaces: dict[str, str]) -> list[tuple[str, Results]]:
    """(space, Results) of the studies, in the order of `spaces`: study -> the space as a document calls it."""
    of_study = {results.study: results for results in studies}
    return [(space, of_study[name]) for name, space in spaces.items() if name in of_study]


def absent(studies: Iterable[Results], spaces: dict[str, str]) -> list[str]:
    """The sentence (list) on the spaces of a document, as in `in_order`, of which no study has scores."""
    there = {results.study for results in studies}
    names = [space for study, space in spaces.items() if study not in there]
    return [f"Left out, no scores: {', '.join(names)}."] if names else []


@dataclass(frozen=True)
class Paired:
    """Scores of methods that are compared at every trial and repetition, on the data sets that have those of all.

    methods: names.
    scores: frame of `frames.read`, of the validation and of the repetitions that all of them have on every data set.
    chances: that the first of an ordered pair is better on a data set, frame (iteration, repetition, dataset) x
      (method, against).
    """

    methods: list[str]
    scores: pd.DataFrame
    chances: pd.DataFrame

    @classmethod
    def of(cls, results: Results, methods: list[str], validation: str, chance: str) -> Self:
        """The scores of a study and its measure `paired_chances`, whose column `chance` is read.

        Raises: MissingResultsError without scores or the measure; RunError for a measure that lacks a method or some of
        these scores.
        """
        compare(results, methods, [validation])
        scores, measured = whole(shared(results.scores, validation, methods)), results.measure(MEASURE)
        if scores.empty:
            raise MissingResultsError(
                f"no repetition has scores of all {len(methods)} methods on every data set; {results.remake}"
            )
        if missing := set(methods) - {*measured["first"], *measured["second"]}:
            raise RunError(
                f"measure {MEASURE} of {results.study} lacks {min(missing)}; add it to conf/measure/{MEASURE}.yaml"
            )
        _check_covers(measured, scores, results)
        return cls(methods, scores, _both_ways(measured, chance))

    @property
    def at_the_end(self) -> Self:
        """Those of the last tenth of the trials."""
        return replace(self, scores=last_tenth(self.scores))

    def ranks(self) -> pd.DataFrame:
        """The expected rank of each method (column): a row for each trial and repetition."""
        ranks = {step: expected_ranks(win_frequencies(errors)) for step, errors in self._errors()}
        return pd.DataFrame(ranks).T.rename_axis(STEP)

    def pairs(self, which: Iterable[tuple[str, str]] = ()) -> pd.DataFrame:
        """Frame with a row for each trial, repetition and pair (method, against): all ordered pairs if none are named.

        frequency, ties: shares of the data sets. sign_p: one-sided. probability: that the first is better on most of
        them; probability_tasks: on most such tasks (D5).
        """
        wanted = list(which) or list(permutations(self.methods, 2))
        return pd.DataFrame(
            row for step, errors in self._errors() for row in _pairs(step, errors, wanted, self.chances)
        )

    def _errors(self) -> Iterator[tuple[tuple, pd.DataFrame]]:
        """(trial, repetition) and the test errors (n_datasets, k) there, of the data sets with all methods, if any."""
        errors = self.scores.pivot(index=[*STEP, "dataset"], columns="method", values="test_error")
        for step, at_step in errors.reindex(columns=self.methods).dropna().groupby(level=STEP):
            yield step, at_step.droplevel(STEP)


def whole(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of the repetitions that have every data set, since each gives a win frequency of its own (D3)."""
    data_sets = scores.groupby("repetition")["dataset"].nunique()
    return scores[scores["repetition"].isin(data_sets.index[data_sets == scores["dataset"].nunique()])]


def last_tenth(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of the last tenth of the trials, of the last one at least."""
    trials = scores["iteration"]
    return scores[trials > trials.max() - max(1, round(trials.max() / LAST))]


def _pairs(step: tuple, errors: pd.DataFrame, which: Iterable[tuple], chances: pd.DataFrame) -> Iterator[dict]:
    """A row for each of the ordered pairs of the methods of errors (n_datasets, k); a tie is a chance of one half."""
    outcomes, at_step = signs(errors), chances.loc[step].loc[errors.index]
    for pair in which:
        first, second = errors.columns.get_indexer(pair)
        outcome = outcomes[:, first, second]
        chance = np.where(outcome == 0, 0.5, at_step[pair])
        yield {
            **dict(zip([*STEP, *PAIR], (*step, *pair), strict=True)),
            "frequency": 0.5 + outcome.mean() / 2,
            "ties": (outcome == 0).mean(),
            "sign_p": sign_test(int((outcome > 0).sum()), int((outcome < 0).sum())),
            "probability": better_on_most(chance),
            "probability_tasks": better_on_most_tasks(chance),
        }


def _check_covers(measured: pd.DataFrame, scores: pd.DataFrame, results: Results) -> None:
    """Raises: RunError when the measure lacks a data set, repetition or trial of the scores."""
    keys = ["dataset", *STEP[::-1]]
    searched, known = (frame[keys].drop_duplicates().set_index(keys).index for frame in (scores, measured))
    if len(lacking := searched.difference(known)):
        name, repetition, trial = lacking[0]
        remake = stage_command("measure", study=results.study, measure=MEASURE, scale=results.scale)
        raise RunError(
            f"measure {MEASURE} of {results.study} is older than the scores (it lacks {name}, repetition {repetition}, "
            f"trial {trial}); make it again with: {remake}"
        )


def _both_ways(measured: pd.DataFrame, chance: str) -> pd.DataFrame:
    """The chance of each ordered pair: frame (iteration, repetition, dataset) x (method, against)."""
    names = {"first": "method", "second": "against"}
    there = measured.rename(columns=names)
    back = measured.rename(columns={"first": "against", "second": "method"}).assign(**{chance: 1 - measured[chance]})
    return pd.concat([there, back]).pivot(index=[*STEP, "dataset"], columns=PAIR, values=chance)
