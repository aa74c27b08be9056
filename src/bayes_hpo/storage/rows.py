"""Reader of the CSV files in conf/ (data sets, claims), which checks each row."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from bayes_hpo.errors import UserError

Row = TypeVar("Row")


def read_rows(
    path: Path, columns: Sequence[str], row_of: Callable[[dict[str, str]], Row], repeated: str = "occurs twice"
) -> dict[str, Row]:
    """First cell -> parsed row (dict), in the order of the file.

    row_of: parser of a row (dict, column -> cell).
    repeated: end of the error message for a first cell that is not unique.
    Raises: UserError when the file cannot be read or has other columns, when a row is repeated, and, with the row
    number, when `row_of` raises a ValueError or UserError.
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
