"""A table as plain text for a terminal."""

import textwrap
from collections.abc import Sequence
from itertools import groupby

import pandas as pd

WIDTH = 120


def plain(title: str, table, sentences: list[str]) -> str:
    """Title, cells and caption of a table in lines of at most WIDTH characters, if the columns allow it.

    Columns that do not fit next to each other continue below; groups under a common header are not split.
    """
    blocks = [cells.to_string() for cells in _fitting(table.cells)]
    caption = "\n".join(line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH))
    return "\n\n".join([title, *blocks, caption])


def levels(labels: pd.Index) -> list[tuple[str, ...]]:
    """Each label of an index as a tuple of texts, one per level."""
    return [tuple(map(str, label)) if isinstance(label, tuple) else (str(label),) for label in labels]


def runs(labels: Sequence[Sequence[str]], level: int) -> list[tuple[str, int, int]]:
    """Runs of header labels that are equal down to a level: list of (text, first, last)."""
    equal = groupby(range(len(labels)), key=lambda position: tuple(labels[position][: level + 1]))
    groups = [list(positions) for _, positions in equal]
    return [(labels[group[0]][level], group[0], group[-1]) for group in groups]


def _fitting(cells):
    """Yield frames of the columns that fit into WIDTH, broken only between groups of the first header."""
    start, end = 0, 0
    for _, first, last in runs(levels(cells.columns), 0):
        width = cells.iloc[:, start : last + 1].to_string().index("\n")
        if end > start and width > WIDTH:
            yield cells.iloc[:, start:end]
            start = first
        end = last + 1
    yield cells.iloc[:, start:]
