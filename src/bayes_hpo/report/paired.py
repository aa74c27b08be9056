"""Methods against each other at every trial: win frequencies, expected ranks, two tests (Lacoste et al. 2014, 6.2)."""

from collections.abc import Iterable, Iterator
from itertools import permutations

import pandas as pd

from bayes_hpo.errors import RunError
from bayes_hpo.report.caption import stage_command
from bayes_hpo.report.comparison import shared
from bayes_hpo.report.results import Results
from bayes_hpo.stats.poisson_binomial import better_on_most, better_on_most_tasks
from bayes_hpo.stats.win_frequency import expected_ranks, sign_test, tie_shares, win_frequencies

MEASURE = "paired_chances"
STEP, PAIR = ["iteration", "repetition"], ["method", "against"]
LAST = 10  # tables average over the last tenth of the trials: 136 to 150 of 150


def in_order(studies: Iterable[Results], spaces: dict[str, str]) -> list[tuple[str, Results]]:
    """(space, Results) of the studies, in the order of `spaces`: study -> the space as a document calls it."""
    of_study = {results.study: results for results in studies}
    return [(space, of_study[name]) for name, space in spaces.items() if name in of_study]


def by_trial(results: Results, methods: list[str], validation: str, chance: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(pairs, ranks) at every trial and repetition, over the data sets that have scores of all methods there.

    pairs: frame, a row for each ordered pair of methods: frequency and ties, shares of the data sets; sign_p;
        probability, that the first is better on most of them, and probability_tasks, on most such tasks (D5).
    ranks: frame, a row for each trial and repetition, a column per method: the expected rank.
    chance: the column of the measure `paired_chances` with the chance on each data set.
    Raises: RunError without scores or the measure, or for a measure that lacks some of these scores.
    """
    scores, measured = shared(results.scores, validation, methods), results.measure(MEASURE)
    _check_covers(measured, scores, results)
    chances = _both_ways(measured, chance)
    pairs, ranks = [], {}
    for step, rows in scores.groupby(STEP):
        errors = rows.pivot(index="dataset", columns="method", values="test_error").reindex(columns=methods).dropna()
        if len(errors):
            frequencies = win_frequencies(errors)
            ranks[step] = expected_ranks(frequencies)
            pairs += list(_pairs(step, errors, frequencies, chances))
    return pd.DataFrame(pairs), pd.DataFrame(ranks).T.rename_axis(STEP)


def _pairs(step, errors: pd.DataFrame, frequencies: pd.DataFrame, chances: pd.Series) -> Iterator[dict]:
    """A row for each ordered pair of the methods of errors (n_datasets, k)."""
    ties = tie_shares(errors)
    for pair in permutations(errors, 2):
        decided = len(errors) * (1 - ties.loc[pair])
        wins = len(errors) * (frequencies.loc[pair] - ties.loc[pair] / 2)
        known = chances.loc[(*step, *pair)].loc[errors.index].to_numpy()
        yield {
            **dict(zip([*STEP, *PAIR], (*step, *pair), strict=True)),
            "frequency": frequencies.loc[pair],
            "ties": ties.loc[pair],
            "sign_p": sign_test(round(wins), round(decided - wins)),
            "probability": better_on_most(known),
            "probability_tasks": better_on_most_tasks(known),
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


def _both_ways(measured: pd.DataFrame, chance: str) -> pd.Series:
    """The chance of each ordered pair: series, index (iteration, repetition, method, against, dataset)."""
    names = {"first": "method", "second": "against"}
    there = measured.rename(columns=names)
    back = measured.rename(columns={"first": "against", "second": "method"}).assign(**{chance: 1 - measured[chance]})
    return pd.concat([there, back]).set_index([*STEP, *PAIR, "dataset"])[chance].sort_index()


def at_the_end(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of the last tenth of the trials; the trial is a column or a level of the index."""
    trials = frame.reset_index()["iteration"].to_numpy()
    return frame[trials > trials.max() - max(1, round(trials.max() / LAST))]
