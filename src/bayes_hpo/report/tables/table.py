"""A table before it is written: its text, its numbers, and what its face says."""

from dataclasses import dataclass

import pandas as pd

NOTHING = "-"


@dataclass(frozen=True)
class Table:
    """cells: frame of text, headers and row labels in one or more levels. values: the same as a tidy frame of numbers.

    notes: sentences for the face, such as the data sets and repetitions that it rests on.
    """

    cells: pd.DataFrame
    values: pd.DataFrame
    notes: list


def number(value, decimals):
    """The value with this many decimals, or NOTHING for NaN."""
    return NOTHING if pd.isna(value) else f"{value:.{decimals}f}"


def pair(value, spread, decimals):
    """Value (spread), as in 17.22 (26.82), or NOTHING."""
    return NOTHING if pd.isna(value) else f"{value:.{decimals}f} ({spread:.{decimals}f})"
