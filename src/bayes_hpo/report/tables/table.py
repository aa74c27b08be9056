"""A table: its text, numbers and notes, and the files written for it."""

from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from bayes_hpo.report.caption import Caption, warning
from bayes_hpo.report.tables import latex, text
from bayes_hpo.storage.files import atomic

NOTHING = "-"


@dataclass(frozen=True)
class Table:
    """A table as text and as numbers.

    cells: frame of texts; headers and row labels have one or more levels.
    values: the same as a tidy frame of numbers.
    notes: sentences for the caption, such as on the data sets and repetitions behind it.
    """

    cells: pd.DataFrame
    values: pd.DataFrame
    notes: list[str]

    def stated(self, caption: Caption) -> "Table":
        """The table with scale, warning and command in every row of its values."""
        status = {"scale": caption.scale, "note": warning(caption.scale), "command": caption.command}
        return replace(self, values=self.values.assign(**status))


def write(table: Table, title: str, sentences: list[str], path: Path, digits: int = 10) -> list[Path]:
    """Write a table as .tex (with its sentences) and .csv, print it as text, and return both paths.

    Raises: RunError when a file cannot be written.
    """
    files = [path.with_suffix(".tex"), path.with_suffix(".csv")]
    with atomic(files[0]) as temporary:
        temporary.write_text(latex.fragment(title, table, sentences), encoding="utf-8")
    with atomic(files[1]) as temporary:
        table.values.to_csv(temporary, index=False, float_format=f"%.{digits}g")
    print(text.plain(title, table, sentences))
    return files


def stacked(names: list[str], **squares: pd.DataFrame) -> pd.DataFrame:
    """Frame with a row per cell (index levels `names`) and a column per given frame (n_rows, n_columns)."""
    return pd.DataFrame({name: square.stack(future_stack=True) for name, square in squares.items()}).rename_axis(names)


def number(value: float, decimals: int) -> str:
    """The value with this many decimals, or NOTHING for NaN."""
    return NOTHING if pd.isna(value) else f"{value:.{decimals}f}"


def pair(value: float, spread: float, decimals: int) -> str:
    """Value (spread), as in 17.22 (26.82); the value alone if there is no spread."""
    return number(value, decimals) + ("" if pd.isna(spread) else f" ({spread:.{decimals}f})")
