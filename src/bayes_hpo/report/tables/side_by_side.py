"""Tables of mean errors of a few methods on every data set, ours and the printed ones: divbo2022, tables 8 to 12."""

from dataclasses import replace
from functools import partial

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import Comparison, covered_under
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table, pair, stacked
from bayes_hpo.stats.ranks import comparable
from bayes_hpo.stats.wilcoxon import LEVEL, exact_p_value, p_value

CELL = ["dataset", "method"]
READING = "In each cell the mean error in % (sd over repetitions, divisor n - 1); [ ]: the lowest; publ.: as printed."
STAR = (
    "*: other than that of {first}, p <= .05 in Wilcoxon's signed-rank test over the repetitions (normal "
    "approximation), not corrected."
)


def error_table(
    results: Results, *, validation: str, document: str, table: str, methods: dict[str, str], note: str
) -> Table:
    """Table of data sets x methods: ours on all data sets of the study, and the printed cells.

    table: printed table, such as "T8".
    methods: dict, our method -> printed label; the first is tested against each of the others.
    note: sentence on the print.
    """
    part, notes = covered_under(results, validation, list(methods))
    printed = _printed(results, document, table, methods)
    return _named(_table(part.mean, part, printed, methods, [*notes, note]), results, methods)


def with_single_runs(
    results: Results,
    *,
    validation: str,
    document: str,
    table: str,
    methods: dict[str, str],
    note: str,
    measure: str,
    quantity: str,
    limit: str,
    absent: str,
) -> Table:
    """`error_table` with another method from a measure, which has a run on each data set.

    If the measure was made again for searches of other repetitions, the cell is the mean of these runs.
    methods: as in `error_table`; the last is the one from the measure.
    quantity: of the measure, its test error in percent.
    limit: of the measure, its time limit in seconds.
    absent: sentence used if the measure has no such rows.
    """
    *ours, other = methods
    part, notes = covered_under(results, validation, ours)
    rows = results.measure(measure)
    wide = rows.pivot_table(index=["dataset", "repetition"], columns="quantity", values="value").reset_index()
    printed = _printed(results, document, table, methods)
    if wide.empty:
        return _named(_table(part.mean, part, printed, methods, [*notes, absent, note]), results, methods)
    runs = wide.drop_duplicates(["dataset", quantity, limit]).groupby("dataset")[[quantity, limit]]
    limits = ", ".join(f"{results.published_name(name)} {value:.0f}" for name, value in runs.mean()[limit].items())
    each = caption.counted(caption.span(runs.size()), "run")
    told = f"{methods[other]}: {each} on {caption.counted(len(runs), 'data set')}; seconds by the clock: {limits}."
    mean = part.mean.assign(**{other: runs.mean()[quantity]})
    return _named(_table(mean, part, printed, methods, [*notes, told, note]), results, methods)


def _named(table: Table, results: Results, methods: dict[str, str]) -> Table:
    """The Table with the document's names of data sets and methods. methods: our method -> printed label."""
    named = {
        "dataset": table.values["dataset"].map(results.published_name),
        "method": table.values["method"].map(methods),
    }
    return replace(table, cells=table.cells.rename(index=results.published_name), values=table.values.assign(**named))


def _table(
    mean: pd.DataFrame, part: Comparison, printed: tuple[pd.DataFrame, ...], methods: dict[str, str], notes: list[str]
) -> Table:
    """The Table. mean: ours (data sets, methods), of a Comparison and perhaps a measure; printed: mean and sd."""
    order = [*printed[0].index.intersection(mean.index), *mean.index.difference(printed[0].index, sort=False)]
    sd = part.runs.groupby(level=0).std(ddof=1).reindex(index=mean.index, columns=mean.columns)
    tests = [_tests(part, test) for test in (p_value, exact_p_value)]
    printed_mean, printed_sd = (frame.reindex(mean.index) for frame in printed)
    untested = tests[0].iloc[:, :0]
    both = {"ours": _text(mean, sd, tests[0]), "publ.": _text(printed_mean, printed_sd, untested)}
    cells = pd.DataFrame(
        {(label, whose): text[name] for name, label in methods.items() for whose, text in both.items() if name in text},
        index=order,
    )
    numbers = {"ours": mean, "ours_sd": sd, "published": printed_mean, "published_sd": printed_sd}
    numbers |= {"p_against_first": tests[0], "p_exact": tests[1]}
    values = stacked(CELL, **{name: frame.reindex(columns=printed_mean.columns) for name, frame in numbers.items()})
    values = values.reset_index()
    values = values.assign(repetitions=values["dataset"].map(part.repetitions))
    first, *tested = part.mean
    star = [STAR.format(first=methods[first])] if tested else []
    return Table(cells.rename_axis("data set"), values, [READING, *star, *_wins(mean, methods), *notes])


def _printed(results: Results, document: str, table: str, methods: dict[str, str]) -> tuple[pd.DataFrame, ...]:
    """Mean and sd in a printed table, under our names of data sets and methods."""
    names = {results.published_name(name): name for name in results.datasets}
    frames = published.cells(document, table, methods)
    return tuple(frame.rename(index=names).reindex(columns=list(methods)) for frame in frames)


def _tests(part: Comparison, test) -> pd.DataFrame:
    """p of each other method against the first, over the repetitions of each data set: frame (data sets, methods)."""
    first, *others = part.mean
    p = {name: {m: float(test(runs[m] - runs[first])) for m in others} for name, runs in part.runs.groupby(level=0)}
    return pd.DataFrame.from_dict(p, orient="index", columns=others).reindex(part.mean.index)


def _text(mean: pd.DataFrame, sd: pd.DataFrame, p: pd.DataFrame) -> pd.DataFrame:
    """Texts (data sets, methods) such as 17.22 (2.61)*, brackets around the lowest; a single run has no sd."""
    lowest = mean.round(9).eq(mean.round(9).min(axis=1), axis=0)
    marked = p.reindex(index=mean.index, columns=mean.columns) <= LEVEL
    text = mean.combine(sd, lambda m, s: pd.Series(map(partial(pair, decimals=2), m, s), index=m.index))[mean.columns]
    text = text.where(~lowest, "[" + text + "]")
    return text.where(~marked, text + "*")


def _wins(mean: pd.DataFrame, methods: dict[str, str]) -> list[str]:
    """A sentence per other method: on how many data sets the first has the lower mean, with the test over them."""
    first, *others = mean
    sentences = []
    for name in others:
        gains = (mean[name] - mean[first]).dropna()
        lower = int((comparable(gains) > 0).sum())
        p = f"exact p = {float(exact_p_value(gains)):.2f} over them" if len(gains) else NOTHING
        sentences.append(f"{methods[first]} is lower than {methods[name]} on {lower} of {len(gains)} data sets ({p}).")
    return sentences
