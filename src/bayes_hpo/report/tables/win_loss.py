"""Tables of wins minus losses over data sets, row against column, with Wilcoxon marks: ours above the document's."""

import numpy as np
import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.report import face
from bayes_hpo.report.tables.table import NOTHING, Table
from bayes_hpo.stats.wilcoxon import LEVEL, exact_p_value, pairwise
from bayes_hpo.stats.win_loss import net_wins

FEW = 10  # data sets up to which the exact p stands beside the approximate one
MARK = "*"
READING = (
    "Row against column: data sets on which the row's mean error is the lower minus those on which it is the higher; "
    f"{MARK}: p < .05 in Wilcoxon's signed-rank test over these data sets, not corrected for the number of pairs."
)


def pairs(errors):
    """Every ordered pair of methods: frame, index (method, against), columns net (data sets), p, significant, p_exact.

    errors: frame (n_datasets, n_methods) of mean errors in percent. p_exact: NaN above FEW data sets (D33).
    Source: thesis, tables 3.2 to 3.4.
    """
    p = pairwise(errors)
    exact = pairwise(errors, exact_p_value) if len(errors) <= FEW else p * float("nan")
    return _tidy(net=net_wins(errors), p=p, significant=p < LEVEL, p_exact=exact)


def printed_pairs(net, significant):
    """The same of what is printed, square frames of methods; p is NaN."""
    nothing = net * float("nan")
    return _tidy(net=net, p=nothing, significant=significant, p_exact=nothing)


def recomputed_table(given, name, validation, place):
    """Table "T3_2" or "T3_3" of its validation beside what the published cells give on the same data sets.

    place: where the document prints these cells, such as "table B.1".
    """
    printed_wins, _ = published.net_wins(name)[validation]
    methods = published.in_order(list(printed_wins.index), given.methods)
    cells = {name: part.as_published() for name, part in given.cells(given.scores, methods, [validation]).items()}
    their_errors = cells[validation].published
    return win_loss_table(
        cells,
        {validation: pairs(their_errors)},
        label="publ.",
        theirs_sets={validation: len(their_errors)},
        notes=[
            *face.copies(cells, given.copies),
            "Order of the print: by mean rank over its 118 data sets, worst first.",
            f"publ.: recomputed on the same data sets from the cells of {place} (one decimal).",
        ],
    )


def win_loss_table(cells, theirs, *, label, theirs_sets, notes):
    """Table of methods, ours above theirs, x methods, grouped by validation; the methods are numbered in their order.

    cells: dict, validation -> Cells. theirs: dict, validation -> `pairs` of the document, headed `label`.
    theirs_sets: dict, validation -> number of data sets behind theirs. notes: sentences added to the coverage.
    """
    blocks, values, agreements = {}, [], []
    for name, part in cells.items():
        ours = pairs(part.mean)
        other = theirs[name].reindex(ours.index)
        blocks[VALIDATIONS[name]] = _block(part.mean.columns, {"ours": ours, label: other})
        values.append(_values(ours, other, part, theirs_sets[name]))
        agreements += _agreement(values[-1], label)
    text, tidy = pd.concat(blocks, axis=1), pd.concat(values, ignore_index=True)
    return Table(text, tidy, [*face.coverage(cells), READING, *agreements, *notes])


def _tidy(**squares):
    """Frame of a row per ordered pair and a column per square frame (n_methods, n_methods)."""
    columns = {name: square.stack(future_stack=True) for name, square in squares.items()}
    return pd.DataFrame(columns).rename_axis(["method", "against"])


def _block(methods, found):
    """Text of one validation: frame, index (numbered method, whose), columns the numbers. found: whose -> `pairs`."""
    numbers = range(1, len(methods) + 1)
    rows = {
        (f"({number}) {printed(method)}", whose): [_cell(frame.loc[method, against]) for against in methods]
        for number, method in zip(numbers, methods, strict=True)
        for whose, frame in found.items()
    }
    text = pd.DataFrame.from_dict(rows, orient="index", columns=map(str, numbers))
    return text.set_axis(pd.MultiIndex.from_tuples(rows, names=["method", ""]))


def _cell(pair):
    """The net wins of one pair (a row of `pairs`) as text, such as +36*; the mark survives LaTeX and plain text."""
    if pd.isna(pair["net"]):
        return NOTHING
    return f"{pair['net']:+.0f}{MARK if pair['significant'] else ''}" if pair["net"] else "0"


def _agreement(values, label):
    """A sentence on the pairs of one validation that both sides have, each counted once: signs and marks."""
    order = {name: position for position, name in enumerate(values["method"].unique())}
    once = values[values["method"].map(order) < values["against"].map(order)].dropna(subset="published")
    if once.empty:
        return []
    same = (np.sign(once["ours"]) == np.sign(once["published"])).sum()
    ours, theirs = once["significant"], once["published_significant"]
    return [
        f"{VALIDATIONS[values['validation'].iloc[0]].capitalize()}: of {len(once)} pairs {same} have the same sign; "
        f"marked are {ours.sum()} in ours, {theirs.sum()} in {label} and {(ours & theirs).sum()} in both."
    ]


def _values(ours, theirs, cells, theirs_sets):
    """Tidy frame of one validation: a row per ordered pair of different methods."""
    tidy = pd.DataFrame(
        {
            "ours": ours["net"],
            "published": theirs["net"],
            "p_ours": ours["p"],
            "p_exact_ours": ours["p_exact"],
            "p_published": theirs["p"],
            "significant": ours["significant"],
            "published_significant": theirs["significant"].astype("boolean"),
        }
    ).reset_index()
    tidy.insert(2, "validation", cells.validation)
    return tidy[tidy["method"] != tidy["against"]].assign(
        data_sets=len(cells.mean),
        published_data_sets=theirs_sets,
        repetitions_least=cells.repetitions.min(),
        repetitions_most=cells.repetitions.max(),
    )
