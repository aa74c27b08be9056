"""The rows of a table as HTML needs them: texts with spans, and which of them are not ours."""

import re
from dataclasses import dataclass

from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.report.tables.text import runs

OURS = "ours"


@dataclass(frozen=True)
class Box:
    """One HTML cell of the head or body, and how many columns and rows it spans.

    kind: "name" of a row, "printed" for what is printed beside ours, or "".
    """

    text: str
    columns: int = 1
    rows: int = 1
    kind: str = ""


def head(entry: PageEntry) -> list[list[Box]]:
    """Rows (list of lists of Box) above the cells of a PageEntry: upper levels over their columns, then the lowest."""
    upper = [
        [Box("", len(entry.labels)), *(Box(text, last - first + 1) for text, first, last in runs(entry.header, level))]
        for level in range(len(entry.header[0]) - 1)
    ]
    return [*upper, [Box(text) for text in (*entry.labels, *(header[-1] for header in entry.header))]]


def body(entry: PageEntry) -> list[tuple[list[Box], list[Box]]]:
    """Rows of the cells: pairs (row labels, cells), lists of Box; a repeated first label spans its rows."""
    spans = {first: last - first + 1 for _, first, last in runs(entry.index, 0)}
    if len(entry.labels) == 1:
        spans = dict.fromkeys(range(len(entry.index)), 1)
    columns = _kinds(entry.header)
    rows = []
    for position, (label, texts, kind) in enumerate(zip(entry.index, entry.cells, _kinds(entry.index), strict=True)):
        first = [Box(label[0], rows=spans[position], kind="name")] if position in spans else []
        labels = [*first, *(Box(text, kind=kind) for text in label[1:])]
        signed = [re.sub(r"^-(?=\d)", "\u2212", text) for text in texts]  # with a true minus sign
        cells = [Box(text, kind=kind or column) for text, column in zip(signed, columns, strict=True)]
        rows.append((labels, cells))
    return rows


def _kinds(labels):
    """The kind of each label: "printed" where it stands beside ours."""
    both = any(OURS in label for label in labels)
    return ["printed" if both and OURS not in label else "" for label in labels]
