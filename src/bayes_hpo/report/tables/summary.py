"""Tables of medians, win rates and ranks over data sets: ours beside the document's, hold-out beside 5-fold."""

import pandas as pd

from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.report import face
from bayes_hpo.report.tables.table import Table, number, pair
from bayes_hpo.stats.ranks import summary


def recomputed(cells):
    """Summary of the published cells of the same data sets, among the methods that were printed; empty if none were."""
    mean = cells.published
    return summary(mean) if mean.size else pd.DataFrame(columns=["median", "iqr", "win_rate", "rank"], dtype=float)


def summary_table(cells, theirs, *, label, theirs_sets, notes):
    """Table of methods x (median and interquartile range, win rate, rank) x (ours, theirs) by validation.

    cells, theirs: dicts, validation -> Cells, and -> summary of the document (methods x metrics), headed `label`.
    theirs_sets: dict, validation -> number of data sets behind theirs. notes: sentences added to the coverage.
    """
    blocks, values = {}, []
    for name, part in cells.items():
        ours = summary(part.mean)
        other = theirs[name].reindex(index=ours.index, columns=ours.columns)
        blocks[VALIDATIONS[name]] = _block(ours, other, label)
        values.append(_values(ours, other, part, theirs_sets[name]))
    absent = [
        f"No data set has {VALIDATIONS[name]} scores of all methods." for name in VALIDATIONS if name not in cells
    ]
    text = pd.concat(blocks, axis=1)
    text.index = pd.Index([printed(name) for name in text.index], name="method")
    return Table(text, pd.concat(values, ignore_index=True), [*face.coverage(cells), *absent, *notes])


def _block(ours, theirs, label):
    """Text of one validation: frame (n_methods, 6), header levels (metric, whose)."""
    columns = {}
    for whose, frame in (("ours", ours), (label, theirs)):
        columns["Med (Q3-Q1)", whose] = [pair(m, q, 2) for m, q in zip(frame["median"], frame["iqr"], strict=True)]
        columns["Win rate", whose] = [number(value, 2) for value in frame["win_rate"]]
        columns["Rank", whose] = [number(value, 2) for value in frame["rank"]]
    metrics = ["Med (Q3-Q1)", "Win rate", "Rank"]
    return pd.DataFrame(columns, index=ours.index)[[(metric, whose) for metric in metrics for whose in ("ours", label)]]


def _values(ours, theirs, cells, theirs_sets):
    """Tidy frame of one validation: a row per method and metric."""
    both = pd.DataFrame({"ours": ours.stack(), "published": theirs.stack(future_stack=True)})
    both = both.rename_axis(["method", "metric"]).reset_index()
    both.insert(1, "validation", cells.validation)
    return both.assign(
        data_sets=len(cells.mean),
        published_data_sets=theirs_sets,
        repetitions_least=cells.repetitions.min(),
        repetitions_most=cells.repetitions.max(),
    )
