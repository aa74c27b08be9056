"""Conversion of text columns to features and outcomes, for CSV files and OpenML's ARFF files."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.outcomes.kinds import CLASSIFICATION, REGRESSION

MISSING = frozenset({"", "?", "NA", "NaN", "nan"})
MOST_CATEGORIES = 1000
MOST_INDICATORS = 50  # per nominal attribute of OpenML; with more categories it becomes one column of codes
LAST = "-1"  # the default target column
Outcome = Callable[[Sequence[str]], tuple[NDArray, list[str]]]  # target column -> (y (n,), class labels)
FEWEST_ROWS = SMALLEST_CLASS = 3  # one row each for training, validation and test


def position(names: Sequence[str], target: str) -> int:
    """Position of the target column among `names`, given its name or its number from 0 (negative: from the end).

    Raises: UserError when there is no such column.
    """
    if target in names:
        return names.index(target)
    try:
        return range(len(names))[int(target)]
    except (ValueError, IndexError) as problem:
        raise UserError(
            f"data.target={target} is not a column; allowed: {', '.join(names)}, or a number from 0 to {len(names) - 1}"
        ) from problem


def number(cell: str) -> float | None:
    """The finite number in a cell, or None."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in cell else None


def numbers(cells: Sequence[str]) -> NDArray:
    """Values (n,) of numeric cells; NaN for missing ones."""
    return np.array([math.nan if cell in MISSING else float(cell) for cell in cells])


def one_hot(name: str, cells: Sequence[str], categories: Sequence[str]) -> NDArray:
    """Indicators (n, k) of the k categories of column `name`; a missing cell gives a row of zeros.

    Raises: RunError for more than MOST_CATEGORIES categories, as in a column of names or texts.
    """
    if len(categories) > MOST_CATEGORIES:
        raise RunError(
            f"column {name!r} has {len(categories)} values, at most {MOST_CATEGORIES} can be coded; remove it"
        )
    positions = {category: position for position, category in enumerate(categories)}
    return np.eye(len(categories) + 1)[[positions.get(cell, -1) for cell in cells], :-1]


def codes(cells: Sequence[str | None], categories: Sequence[str]) -> NDArray:
    """Codes (n, 1) of a nominal column: the categories themselves if all are numbers, else their positions.

    Cells outside the categories become NaN.
    """
    values = [number(category) for category in categories]
    coded = range(len(values)) if None in values else values
    known: dict = dict(zip(categories, coded, strict=True))
    return np.array([[known.get(cell, math.nan)] for cell in cells], dtype=float)


def classified(labels: Sequence[str]) -> tuple[NDArray, list[str]]:
    """(y (n,) class numbers from 0, sorted labels) of n cells; labels are sorted as numbers if all are, else as text.

    Raises: RunError when a label is missing, there is only one class, or a class is too small to be stratified.
    """
    if gaps := [row for row, label in enumerate(labels, start=1) if label in MISSING]:
        raise RunError(f"data row {gaps[0]} has no class; fill it in or remove the row")
    key: Callable = number if all(number(label) is not None for label in labels) else str
    keys = [key(label) for label in labels]
    order = {value: position for position, value in enumerate(sorted(set(keys)))}
    if len(order) < 2:
        raise RunError(
            f"all {len(labels)} rows are of class {labels[0]}; a classification task needs two classes or more"
        )
    first = {order[value]: label for value, label in reversed(list(zip(keys, labels, strict=True)))}
    y, names = np.array([order[value] for value in keys], dtype=np.int64), [first[i] for i in range(len(order))]
    counts = np.bincount(y)
    if counts.min() < SMALLEST_CLASS:
        raise RunError(
            f"class {names[int(counts.argmin())]} has {counts.min()} row(s), too small to stratify: "
            f"it needs {SMALLEST_CLASS}, one each for training, validation and test; merge or remove it "
            "(a target of values, not of classes, needs a row with task regression in conf/datasets.csv)"
        )
    return y, names


def measured(cells: Sequence[str]) -> tuple[NDArray, list[str]]:
    """(y (n,) values, no labels) of the target column.

    Raises: RunError for a cell that is not a number, a constant target, or too few rows to be split.
    """
    if wrong := [row for row, cell in enumerate(cells, start=1) if number(cell) is None]:
        raise RunError(f"data row {wrong[0]} has no number as target; correct or remove the row")
    if len(cells) < FEWEST_ROWS:
        raise RunError(
            f"{len(cells)} row(s) cannot be divided: a regression task needs {FEWEST_ROWS}, one each for training, "
            "validation and test; add rows"
        )
    values = numbers(cells)
    if values.min() == values.max():
        raise RunError(f"all {len(cells)} rows have the target {cells[0]}; a regression task needs values that differ")
    return values, []


OUTCOMES = {CLASSIFICATION: classified, REGRESSION: measured}
