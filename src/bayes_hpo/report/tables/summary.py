"""Tables of medians, win rates and ranks over data sets: ours beside the document's, hold-out beside 5-fold."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import covering, first_beside_print, recomputed, with_sizes
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import Table, number, pair
from bayes_hpo.stats.ranks import summary

HEADERS = ("Med (Q3-Q1)", "Win rate", "Rank")


def beside_recomputed(results: Results, *, table: str, place: str) -> Table:
    """Methods in the order of a table such as "T3_1", beside what its published cells give on the same data sets.

    Before a campaign has made all methods it is a table of those that have scores, ranks of the published errors too.
    place: where the document prints the cells.
    """
    every = published.in_order(published.methods(table), results.methods)
    methods = covering(results.scores, every)
    compared, beside = recomputed(results, methods, summarized, place)
    notes = [*caption.copies(compared, results.copies), *caption.absent(results, every, methods), *beside.notes]
    return summary_table(compared, beside, notes)


def beside_print(results: Results, *, table: str) -> Table:
    """Our first repetitions beside a table such as "T3_5" as it is printed."""
    compared, beside = first_beside_print(results, published.methods(table), published.summary(table))
    return summary_table(compared, beside, beside.notes)


def summarized(mean):
    """`summary` of mean errors (n_datasets, n_methods), empty if there are none."""
    return summary(mean) if mean.size else pd.DataFrame(columns=["median", "iqr", "win_rate", "rank"], dtype=float)


def summary_table(compared, beside, notes):
    """Table of methods x (median and interquartile range, win rate, rank) x (ours, theirs) by validation.

    compared: dict, validation -> Comparison. beside: the Reference. notes: sentences added to the coverage.
    """
    blocks, values = {}, []
    for name, part in compared.items():
        ours = summary(part.mean)
        other = beside.values[name].reindex(index=ours.index, columns=ours.columns)
        blocks[VALIDATIONS[name]] = _block({"ours": ours, beside.label: other})
        both = pd.DataFrame({"ours": ours.stack(), "published": other.stack(future_stack=True)})
        both = both.rename_axis(["method", "metric"]).reset_index()
        both.insert(1, "validation", name)
        values.append(with_sizes(both, part, beside))
    absent = [
        f"No data set has {VALIDATIONS[name]} scores of all methods." for name in VALIDATIONS if name not in compared
    ]
    text = pd.concat(blocks, axis=1)
    text.index = pd.Index([printed(name) for name in text.index], name="method")
    return Table(text, pd.concat(values, ignore_index=True), [*caption.coverage(compared), *absent, *notes])


def _block(both):
    """Text of one validation: frame (n_methods, 6), header levels (metric, whose). both: dict, whose -> summary."""
    columns = {}
    for whose, frame in both.items():
        columns[HEADERS[0], whose] = [pair(m, q, 2) for m, q in zip(frame["median"], frame["iqr"], strict=True)]
        columns[HEADERS[1], whose] = [number(value, 2) for value in frame["win_rate"]]
        columns[HEADERS[2], whose] = [number(value, 2) for value in frame["rank"]]
    return pd.DataFrame(columns, index=both["ours"].index)[[(header, whose) for header in HEADERS for whose in both]]
