"""Methods compared at every trial: win frequencies, expected ranks and two tests (Lacoste et al. 2014, section 6.2)."""

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
    """(space, Results) of the studies, in the order of `spaces` (dict, study -> name of the space in a document)."""
    of_study = {results.study: results for results in studies}
    return [(space, of_study[name]) for name, space in spaces.items() if name in of_study]


def absent(studies: Iterable[Results], spaces: dict[str, str]) -> list[str]:
    """The sentence (list) on spaces of a document, as in `in_order`, for which no study has scores."""
    there = {results.study for results in studies}
    names = [space for study, space in spaces.items() if study not in there]
    return [f"Left out, no scores: {', '.join(names)}."] if names else []


@dataclass(frozen=True)
class Paired:
    """Scores of methods compared at every trial and repetition, on the data sets with scores of all of them.

    methods: names.
    scores: frame of `frames.read` for one validation and the repetitions that all methods finished on every data set.
    chances: probability that the first method of a pair is better on a data set, frame (iteration, repetition, dataset)
        x (method, against), ordered pairs.
    """

    methods: list[str]
    scores: pd.DataFrame
    chances: pd.DataFrame

    @classmethod
    def of(cls, results: Results, methods: list[str], validation: str, chance: str) -> Self:
        """The scores of a study, with the column `chance` of its measure `paired_chances`.

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
        """The comparison over the last tenth of the trials."""
        return replace(self, scores=last_tenth(self.scores))

    def ranks(self) -> pd.DataFrame:
        """The expected rank of each method (column), a row per trial and repetition."""
        ranks = {step: expected_ranks(win_frequencies(errors)) for step, errors in self._errors()}
        return pd.DataFrame(ranks).T.rename_axis(STEP)

    def pairs(self, which: Iterable[tuple[str, str]] = ()) -> pd.DataFrame:
        """Frame with a row per trial, repetition and pair (method, against); all ordered pairs if none are given.

        frequency, ties: shares of the data sets.
        sign_p: p of the one-sided sign test.
        probability: that the first method is better on most of these data sets.
        probability_tasks: that it is better on most data sets of their population (D5).
        """
        wanted = list(which) or list(permutations(self.methods, 2))
        return pd.DataFrame(
            row for step, errors in self._errors() for row in _pairs(step, errors, wanted, self.chances)
        )

    def _errors(self) -> Iterator[tuple[tuple, pd.DataFrame]]:
        """Yield (trial, repetition) and the test errors (n_datasets, k) there, on data sets scored for all methods."""
        errors = self.scores.pivot(index=[*STEP, "dataset"], columns="method", values="test_error")
        for step, at_step in errors.reindex(columns=self.methods).dropna().groupby(level=STEP):
            yield step, at_step.droplevel(STEP)


def whole(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of repetitions that cover all data sets, since each repetition gives a win frequency (D3)."""
    data_sets = scores.groupby("repetition")["dataset"].nunique()
    return scores[scores["repetition"].isin(data_sets.index[data_sets == scores["dataset"].nunique()])]


def last_tenth(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of the last tenth of the trials, at least of the last one."""
    trials = scores["iteration"]
    return scores[trials > trials.max() - max(1, round(trials.max() / LAST))]


def _pairs(step: tuple, errors: pd.DataFrame, which: Iterable[tuple], chances: pd.DataFrame) -> Iterator[dict]:
    """Yield a row for each of the ordered pairs; a tie counts as a probability of one half. errors: (n_datasets, k)."""
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
    """Compare the measure with the scores. Raises: RunError when it lacks a data set, repetition or trial of theirs."""
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
    """The probability for each ordered pair: frame (iteration, repetition, dataset) x (method, against)."""
    names = {"first": "method", "second": "against"}
    there = measured.rename(columns=names)
    back = measured.rename(columns={"first": "against", "second": "method"}).assign(**{chance: 1 - measured[chance]})
    return pd.concat([there, back]).pivot(index=[*STEP, "dataset"], columns=PAIR, values=chance)
