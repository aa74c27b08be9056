"""The CSV files of conf/ whose rows are read and checked singly: data sets, claims."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from bayes_hpo.errors import UserError

Row = TypeVar("Row")


def read_rows(
    path: Path, columns: Sequence[str], row_of: Callable[[dict[str, str]], Row], repeated: str = "occurs twice"
) -> dict[str, Row]:
    """What `row_of` makes of each row (dict, column -> cell), by the first cell, in the order of the file.

    repeated: what the message says of a first cell that is not unique.
    Raises: UserError when the file cannot be read or has other columns, for a repeated row, and with the number of the
    row for a ValueError or UserError of `row_of`.
    """
    try:
        with open(path, newline="", encoding="utf-8") as stream:
            header, *lines = list(csv.reader(stream)) or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        missing = isinstance(problem, FileNotFoundError)
        reason = f"there is no {path.name}" if missing else f"it is not a CSV file in UTF-8: {problem}"
        raise UserError(f"{path} cannot be read ({reason}); run the command in the repository's root") from problem
    if header != list(columns):
        raise UserError(f"{path}: the columns must be {', '.join(columns)}, in this order")
    rows: dict[str, Row] = {}
    for number, cells in enumerate(lines, start=2):
        try:
            if len(cells) != len(columns):
                raise ValueError(f"{len(cells)} cells, the header has {len(columns)}")
            row = row_of(dict(zip(columns, cells, strict=True)))
        except (ValueError, UserError) as problem:
            raise UserError(f"{path}, row {number} ({', '.join(cells[:1])}): {problem}") from problem
        if cells[0] in rows:
            raise UserError(f"{path}, row {number}: {cells[0]} {repeated}; rename one of the two")
        rows[cells[0]] = row
    return rows
