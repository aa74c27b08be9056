"""Tables of the mean error of every method on every data set, ours above the document's, some with mean ranks."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.outcomes.kinds import PERCENT
from bayes_hpo.report import caption, fidelity
from bayes_hpo.report.comparison import as_printed, covered_under
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table, number, pair, stacked
from bayes_hpo.stats.ranks import comparable, ranks
from bayes_hpo.stats.wilcoxon import LEVEL, against_best, exact_p_value

CELL = ["dataset", "method"]
METRICS = {PERCENT.name: "test_error_pct"}  # unit -> name of the error in the file
RANK, UNFLAGGED, WORSE = "rank", "rank'", "worse"
WHERE = {RANK: "all", UNFLAGGED: "all without doubt"}  # entries of the column `dataset` in the file
READING = (
    "[ ]: the lowest mean error on the data set; *: worse than that of this method, p <= .05 in Wilcoxon's signed-rank "
    "test over the repetitions, not corrected; worse: on how many data sets. rank: mean over data sets, ties averaged"
)
APPROXIMATE = "p: zeros dropped, normal approximation; the exact one is p_exact in the CSV file"
NAMES = "Data sets have the document's names (docs/data.md)."


def errors_table(results: Results, *, validation: str, place: str) -> Table:
    """Table of data sets x methods: mean (sd, ddof 0) over repetitions, one decimal (thesis, appendix B).

    place: where the document prints the cells, such as "table B.1".
    """
    every = published.in_order(list(results.printed.cells[validation][0]), results.methods)
    part, notes = covered_under(results, validation, every)
    precision = results.printed.precision[validation]
    both = {"ours": _mean_sd(part.mean, part.sd), "publ.": _mean_sd(part.published_mean, part.published_sd)}
    text = pd.concat(both, names=["", "data set"]).swaplevel().loc[list(part.mean.index)]
    values = stacked(
        CELL,
        ours_mean=part.mean,
        ours_sd=part.sd,
        published_mean=part.published_mean,
        published_sd=part.published_sd,
        difference=part.mean - part.published_mean,
        z=fidelity.z_scores(part, precision),
    ).reset_index()
    values = values.assign(validation=validation, repetitions=values["dataset"].map(part.repetitions))
    reading = (
        f"In each cell the mean (sd) over repetitions; publ.: printed in {place}, {precision.repetitions} repetitions."
    )
    label = results.printed.method
    return Table(text.rename(columns=label), values, [*notes, reading, *fidelity.sentences(part, precision, label)])


def plain_errors_table(results: Results, *, validation: str) -> Table:
    """Table of data sets x methods for a study without print: mean (sd) over repetitions in the unit of the task."""
    part, notes = covered_under(results, validation, list(results.methods))
    text = _mean_sd(part.mean, part.sd).rename(columns=results.printed.method).rename_axis("data set")
    values = stacked(CELL, mean=part.mean, sd=part.sd).reset_index().assign(unit=results.unit.name)
    return Table(text, values, [*notes, f"In each cell the mean (sd) over repetitions, in {results.unit.name}."])


def rank_table(
    results: Results, *, validation: str, worse: dict[str, int], note: str, methods: list[str] | None = None
) -> Table:
    """Table of methods x data sets under printed names, with mean ranks and counts.

    Ranks are given with and without the flagged data sets.
    worse: printed method -> number of data sets on which the document calls it significantly worse than the best.
    note: sentence on the document's rows.
    methods: methods to compare, None for all of the study.
    """
    compared, notes = as_printed(results, validation, methods)
    precision, flagged = results.printed.precision[validation], _flagged(compared, results.printed.flagged)
    p = _by_dataset(compared, against_best)
    marked = {"ours": p <= LEVEL, "publ.": pd.DataFrame(False, *compared.published.axes)}
    counts = {"ours": marked["ours"].sum(), "publ.": pd.Series(worse, dtype=float)}
    text = {}
    for whose, mean in compared.both.items():
        block = _marked(mean, marked[whose])
        for name, part in _ranked(mean, flagged).items():
            block[name] = [number(value, 2) for value in part]
        block[WORSE] = [number(value, 0) for value in counts[whose].reindex(block.index)]
        text[whose] = block
    methods = list(compared.mean)
    cells = pd.concat(text, names=["", "method"]).swaplevel().reindex(methods, level="method").fillna(NOTHING)
    sentences = [note] if compared.published.size else []
    sentences += fidelity.sentences(compared, precision, str, flagged)
    rest = f"; {UNFLAGGED}: without {', '.join(flagged)}, in doubt" if flagged else ""
    errors = stacked(
        CELL,
        ours=compared.mean,
        ours_sd=compared.sd,
        published=compared.published.reindex_like(compared.mean),
        published_sd=compared.published_sd,
        z=fidelity.z_scores(compared, precision),
        p_against_best=p,
        p_exact=_by_dataset(compared, against_best, exact_p_value),
    ).reset_index()
    errors["metric"] = METRICS.get(results.unit.name, "test_error")
    values = pd.concat([errors, *_rank_rows(compared, flagged)], ignore_index=True)
    return Table(cells, values, [*notes, f"{READING}{rest}. {_p_values(compared.repetitions)} {NAMES}", *sentences])


def _mean_sd(mean, sd):
    """Frame of texts "mean (sd)"."""
    return mean.combine(sd, lambda m, s: pd.Series([pair(*both, 1) for both in zip(m, s, strict=True)], index=m.index))


def _flagged(compared, flagged):
    """The flagged data sets among the compared ones; empty (list) if all compared ones are flagged."""
    entered = [name for name in flagged if name in compared.mean.index]
    return entered if len(entered) < len(compared.mean) else []


def _by_dataset(compared, test, *options):
    """p of each method from a test over the repetitions of each data set: frame (n_datasets, n_methods)."""
    return pd.DataFrame({name: test(runs, *options) for name, runs in compared.runs.groupby(level=0, sort=False)}).T


def _p_values(repetitions):
    """The sentence on p with so many repetitions (series), and on the smallest exact p if it exceeds the level."""
    most = repetitions.max()
    least = 2.0 ** (1 - most)  # two-sided, of n signed ranks
    bound = f", with {caption.counted(most, 'repetition')} never below {least:.2g}, so that no * would stand"
    return f"{APPROXIMATE}{bound if least > LEVEL else ''}."


def _marked(mean, marked):
    """Texts with two decimals (n_methods, n_datasets): brackets for the lowest of a data set, a star where `marked`."""
    lowest = comparable(mean) == comparable(mean).min(axis=1, keepdims=True)
    text = mean.map("{:.2f}".format).where(~lowest, mean.map("[{:.2f}]".format))
    return text.where(~marked, text + "*").T


def _ranked(mean, flagged):
    """Mean rank of each method (series): dict, RANK over all data sets, UNFLAGGED over the rest if any are flagged."""
    rest = {UNFLAGGED: mean.drop(index=flagged)} if flagged else {}
    return {name: ranks(part).mean() for name, part in ({RANK: mean} | rest).items()}


def _rank_rows(compared, flagged):
    """Mean ranks as tidy frames (list), a row per method."""
    published_ranks = _ranked(compared.published, flagged) if compared.published.size else {}
    columns = [
        {"ours": ranks, "published": published_ranks.get(name), "dataset": WHERE[name], "metric": "avg_rank"}
        for name, ranks in _ranked(compared.mean, flagged).items()
    ]
    return [pd.DataFrame(part).rename_axis("method").reset_index() for part in columns]
