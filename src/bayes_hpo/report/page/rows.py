"""The rows of a table for HTML: texts with spans, and marks on those that are not ours."""

import re
from dataclasses import dataclass

from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.report.tables.text import runs

OURS = "ours"


@dataclass(frozen=True)
class Box:
    """One HTML cell of the head or body, and the numbers of columns and rows that it spans.

    kind: "name" for a row's name, "printed" for printed values next to ours, or "".
    """

    text: str
    columns: int = 1
    rows: int = 1
    kind: str = ""


def head(entry: PageEntry) -> list[list[Box]]:
    """Header rows of a PageEntry (lists of Box): upper levels over their columns, then the lowest."""
    upper = [
        [Box("", len(entry.labels)), *(Box(text, last - first + 1) for text, first, last in runs(entry.header, level))]
        for level in range(len(entry.header[0]) - 1)
    ]
    return [*upper, [Box(text) for text in (*entry.labels, *(header[-1] for header in entry.header))]]


def body(entry: PageEntry) -> list[tuple[list[Box], list[Box]]]:
    """Body rows: pairs (row labels, cells), lists of Box; a repeated first label spans its rows."""
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
    """The kind of each label: "printed" if it accompanies ours."""
    both = any(OURS in label for label in labels)
    return ["printed" if both and OURS not in label else "" for label in labels]
