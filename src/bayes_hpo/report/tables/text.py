"""A table as plain text for a terminal."""

import textwrap

import pandas as pd

WIDTH = 120
GAP = "  "


def plain(title: str, table, sentences: list[str]) -> str:
    """Title, cells and caption of a table in lines of at most WIDTH characters where the columns allow it.

    Columns that do not fit beside each other stand below each other, whole groups of a common header together.
    """
    labels = _labels(table.cells.index)
    blocks = ["\n".join(_block(columns, labels)) for columns in _fitting(table.cells, WIDTH - len(labels[0]))]
    caption = "\n".join(line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH))
    return "\n\n".join([title, *blocks, caption])


def levels(labels: pd.Index) -> list[tuple[str, ...]]:
    """Each label of an index as a tuple of texts, one per level."""
    return [tuple(map(str, label)) if isinstance(label, tuple) else (str(label),) for label in labels]


def runs(labels, level: int) -> list[list]:
    """Neighbours among header labels that are equal down to a level: list of [text, first, last]."""
    groups: list[list] = []
    for position, label in enumerate(labels):
        if groups and label[: level + 1] == labels[groups[-1][1]][: level + 1]:
            groups[-1][2] = position
        else:
            groups.append([label[level], position, position])
    return groups


def _labels(index):
    """Row labels as texts of one width, headed by the names of their levels; a repeated first level is blank."""
    rows = [tuple(str(name or "") for name in index.names), *levels(index)]
    rows = [
        (" " * len(row[0]), *row[1:]) if len(row) > 1 and row[0] == rows[i - 1][0] else row
        for i, row in enumerate(rows)
    ]
    return _aligned(rows)


def _aligned(rows):
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [GAP.join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows]


def _fitting(cells, room):
    """Slices of the columns that fit into `room` characters, broken between groups of the first header level."""
    headers = levels(cells.columns)
    spans = [(first, last + 1) for _, first, last in runs(headers, 0)]
    slices, start, end = [], 0, 0
    for first, last in spans:
        if end > start and sum(len(GAP) + width for width in _widths(cells.iloc[:, start:last])) > room:
            slices.append(cells.iloc[:, start:end])
            start = first
        end = last
    return [*slices, cells.iloc[:, start:end]]


def _widths(cells):
    """Width of each column: its longest text or lowest header, more where a header above needs it or a group begins."""
    headers = levels(cells.columns)
    widths = [max(len(header[-1]), *map(len, cells.iloc[:, i])) for i, header in enumerate(headers)]
    for level in range(len(headers[0]) - 1):
        for text, first, last in runs(headers, level):
            widths[last] += max(0, len(text) - _span(widths, first, last))
    for _, first, _ in runs(headers, 0)[1:]:
        widths[first] += len(GAP) * (len(headers[0]) > 1)
    return widths


def _span(widths, first, last):
    return sum(widths[first : last + 1]) + len(GAP) * (last - first)


def _block(cells, labels):
    """Lines of some of the columns with the row labels: headers, a rule, rows."""
    headers, widths = levels(cells.columns), _widths(cells)
    lines = []
    for level in range(len(headers[0]) - 1):
        above = [text.center(_span(widths, first, last)) for text, first, last in runs(headers, level)]
        lines.append(GAP.join([" " * len(labels[0]), *above]))
    rows = [[header[-1] for header in headers], *cells.to_numpy().tolist()]
    body = [
        GAP.join([label, *(text.rjust(width) for text, width in zip(row, widths, strict=True))])
        for label, row in zip(labels, rows, strict=True)
    ]
    rule = "-" * len(body[0])
    return [line.rstrip() for line in (*lines, body[0], rule, *body[1:])]
