"""Readers for the file formats of OpenML data sets and of their substitutes."""

import gzip
import re
from collections.abc import Collection

import arff
import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.sources.csv_file import csv_table
from bayes_hpo.data.sources.table import (
    MOST_INDICATORS,
    Outcome,
    classified,
    codes,
    measured,
    number,
    numbers,
    one_hot,
    position,
)
from bayes_hpo.errors import RunError


def read_table(
    name: str, content: bytes, target: str, drop: Collection[str], outcome: Outcome = classified
) -> tuple[NDArray, NDArray, list[str]]:
    """(X (n, p), y (n,), class labels) from the bytes of the file `name`, nominal attributes as indicators or codes.

    target, drop, outcome: as in `csv_table`.
    Raises: UserError for an unknown target; RunError for invalid content.
    """
    for ending, reader in READERS.items():
        if name.endswith(ending):
            return reader(content, target, drop, outcome)
    raise RunError(f"{name} has an unknown format; known endings: {', '.join(READERS)}")


def _arff(content, target, drop, outcome):
    try:
        table = _loaded(content.decode())
    except (arff.ArffException, ValueError) as problem:
        raise RunError(f"its ARFF file cannot be read ({problem})") from problem
    if not table["data"]:
        raise RunError("its ARFF file has no rows")
    names = [name for name, _ in table["attributes"]]
    target = names[position(names, target)]
    columns = dict(zip(names, zip(*table["data"], strict=True), strict=True))
    labels = [
        "" if value is None else value if isinstance(value, str) else f"{value:.17g}" for value in columns[target]
    ]
    y, classes = outcome(labels)
    kept = [(name, kind) for name, kind in table["attributes"] if name not in {target, *drop}]
    return np.hstack([_feature(name, kind, columns[name]) for name, kind in kept]), y, classes


def _loaded(text):
    """The parsed ARFF file; Weka's numeric data sets have rows separated by spaces, or with a trailing comma."""
    try:
        return arff.loads(text)
    except arff.ArffException:
        head, mark, rows = re.split(r"(?im)^(@data.*)$", text, maxsplit=1)
        lines = (line.strip().removesuffix(",") for line in rows.splitlines())
        return arff.loads(
            "\n".join([head + mark, *(line if "," in line else ",".join(line.split()) for line in lines)])
        )


def _feature(name, kind, values):
    """Features of an attribute, missing values as None: (n, 1) if numeric or with many categories, else (n, k)."""
    if isinstance(kind, list):
        present = set(values)
        categories = [category for category in kind if category in present]
        return codes(values, categories) if len(categories) > MOST_INDICATORS else one_hot(name, values, categories)
    if kind.upper() in ("NUMERIC", "REAL", "INTEGER"):
        return np.array([[np.nan if value is None else value] for value in values], dtype=float)  # (n, 1)
    raise RunError(f"attribute {name} is of type {kind}; name it in column `drop` of conf/datasets.csv")


def _numeric_parent(content, target, drop, outcome):
    """A data set with a numeric target, or OpenML's two classes derived from it: P below the mean, else N."""
    try:
        content = gzip.decompress(content)
    except (EOFError, OSError) as problem:
        raise RunError(f"it is not a complete gzip file ({problem})") from problem
    if outcome is measured:
        return csv_table(content, target, drop, measured)
    return csv_table(content, target, drop, lambda cells: outcome(_below_the_mean(cells)))


def _below_the_mean(cells):
    if wrong := [cell for cell in cells if number(cell) is None]:
        raise RunError(f"its target holds {wrong[0]!r}, which is not a number")
    values = numbers(cells)
    return np.where(values < values.mean(), "P", "N").tolist()


READERS = {".arff": _arff, ".csv": csv_table, ".tsv.gz": _numeric_parent}
