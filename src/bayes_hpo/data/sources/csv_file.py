"""A user's CSV file: numeric columns, possibly with missing values, text columns as indicators, and a target column."""

import csv
import hashlib
import io
from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Row
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.sources.table import (
    LAST,
    MISSING,
    OUTCOMES,
    Outcome,
    classified,
    number,
    numbers,
    one_hot,
    position,
)
from bayes_hpo.errors import RunError, UserError

DELIMITERS = ",;\t"
LARGEST = 1e150  # absolute value; the squares of larger numbers may overflow


def lacking(row: Row, settings: Settings) -> str:
    """Why the file cannot be read; empty if it can."""
    return "" if Path(settings.csv).is_file() else f"data.csv={settings.csv} is not a file"


def read(row: Row, settings: Settings) -> Data:
    """The Data of settings.csv; features are imputed and standardized later, with statistics of training rows.

    Raises: UserError when the file or its target column does not exist; RunError for invalid content.
    """
    path = Path(settings.csv)
    if reason := lacking(row, settings):
        raise UserError(f"{reason}; give the path of a CSV file with a header line")
    content = path.read_bytes()
    try:
        X, y, labels = csv_table(content, settings.target or row.target or LAST, row.drop, OUTCOMES[row.task])
    except RunError as problem:
        raise RunError(f"{path}: {problem}") from problem
    header = row.header({path.name: hashlib.sha256(content).hexdigest()}, False, labels)
    return Data(X, y, np.empty(0, np.int64), True, header)


def csv_table(
    content: bytes, target: str, drop: Collection[str], outcome: Outcome = classified
) -> tuple[NDArray, NDArray, list[str]]:
    """(X (n, p), y (n,), class labels) from the bytes of a CSV file.

    target: name or number of the target column.
    drop: columns that are not features.
    outcome: cells of the target column -> (y (n,), class labels).
    Raises: UserError for an unknown target; RunError for invalid content.
    """
    header, lines, records = rows_of(content)
    place = position(header, target)
    columns = list(zip(*records, strict=True))
    y, labels = outcome(columns[place])
    _within_limits(header[place], y, lines)
    features = [j for j in range(len(header)) if j != place and header[j] not in drop]
    return np.hstack([_feature(header[j], columns[j], lines) for j in features]), y, labels


def rows_of(content: bytes) -> tuple[list[str], list[int], list[list[str]]]:
    """(column names, line number of each row, rows as lists of stripped cells) from the bytes of a CSV file.

    Raises: RunError when it is malformed.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise RunError(f"not UTF-8 (byte {problem.start}); save it in that encoding") from problem
    delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        numbered = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader if cells]
    except csv.Error as problem:
        raise RunError(f"line {reader.line_num} is not CSV ({problem})") from problem
    if len(numbered) < 2:
        raise RunError("empty; a header line and rows are needed")
    (_, header), *rows = numbered
    if repeated := [name for name in header if header.count(name) > 1]:
        raise RunError(f"column {repeated[0]!r} occurs twice in the header; give every column a name of its own")
    if numeric := [name for name in header if number(name) is not None and not name.isdecimal()]:
        raise RunError(f"the first line holds the number {numeric[0]}; it must hold the names of the columns")
    if len(header) < 2:
        raise RunError(
            "only one column; a target and a feature at least are needed, separated by commas, semicolons or tabs"
        )
    for line, cells in rows:
        if len(cells) != len(header):
            raise RunError(f"line {line} has {len(cells)} cells, the header {len(header)}; make them equal")
    return header, [line for line, _ in rows], [cells for _, cells in rows]


def _feature(name, cells, lines):
    """Features (n, 1) of a numeric column, or (n, k) of a text column with k distinct values."""
    present = [(cell, line) for cell, line in zip(cells, lines, strict=True) if cell not in MISSING]
    texts = [(cell, line) for cell, line in present if number(cell) is None]
    if not texts:
        return _within_limits(name, numbers(cells), lines)[:, None]  # (n, 1)
    if texts and all(number(cell.replace(",", ".", 1)) is not None for cell, _ in present):
        raise RunError(
            f"column {name!r} holds numbers with decimal commas, such as {texts[0][0]!r}; write decimal points"
        )
    if len(texts) == len(present):
        return one_hot(name, cells, sorted({cell for cell, _ in texts}))
    cell, line = texts[0]
    raise RunError(
        f"column {name!r}, line {line}: {cell!r} is not a number but {len(present) - len(texts)} of its cells are; "
        "correct it, or leave the cell empty if the value is missing"
    )


def _within_limits(name, values, lines):
    """The values (n,) of a column. Raises: RunError for a value that is too large to be squared."""
    beyond = np.flatnonzero(np.abs(values) > LARGEST)
    if len(beyond):
        raise RunError(
            f"column {name!r}, line {lines[beyond[0]]}: {values[beyond[0]]:g} is beyond {LARGEST:g} in absolute value; "
            "correct it, or rescale the column"
        )
    return values
