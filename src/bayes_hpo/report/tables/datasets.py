"""Sizes of a document's data sets and of ours: table 1 of uai2016, table 5 of divbo2022."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table

SIZES = {"instances": "n", "features": "p", "classes": "classes"}  # printed column -> column of the measure
TEST = "test rows given"
KEYS = {"abbrev": "abbreviation", "openml_id": "openml_id"}  # column of published/datasets.csv -> column of the measure


def sizes_table(results: Results, *, measure: str, document: str, notes: list, key: str = "abbrev") -> Table:
    """Table of the printed data sets: rows, features and classes as printed and in our files, and the given test rows.

    Cells that differ are marked and listed in a note.
    key: column by which the document identifies data sets, one of KEYS.
    """
    rows = published.rows("datasets").query("document == @document").convert_dtypes()
    ours = results.measure(measure).set_index(KEYS[key]).loc[rows[key]]
    values = pd.DataFrame({"dataset": ours["dataset"].to_numpy(), "printed_name": rows["dataset"].to_numpy()})
    for printed, size in SIZES.items():
        values[f"{printed}_published"] = rows[printed].to_numpy()
        values[printed] = ours[size].to_numpy()
    values["test_rows"] = ours["n_test"].to_numpy()
    differs = {name: values[name] != values[f"{name}_published"] for name in SIZES}
    cells = pd.DataFrame({(name, whose): _text(values[column], differs[name]) for name, whose, column in _cells()})
    if values["test_rows"].any():
        cells[TEST, ""] = [str(n) if n else NOTHING for n in values["test_rows"]]
    cells.index = pd.Index(rows["dataset"] + " (" + rows[key].astype(str) + ")", name="data set")
    misprints = [
        f"{row['printed_name']}, {name}: {row[f'{name}_published']:,.0f} printed, {row[name]:,} in the file"
        for name in SIZES
        for _, row in values[differs[name]].iterrows()
    ]
    return Table(cells, values, [f"*: differ ({'; '.join(misprints)}).", *notes])


def _cells():
    """The columns of the table: list of (group, header, column of the values)."""
    return [(name, who, name + suffix) for name in SIZES for who, suffix in (("ours", ""), ("publ.", "_published"))]


def _text(values, differs):
    """Integers as text, marked where ours and the print differ."""
    return [f"{int(value):,}" + "*" * bool(other) for value, other in zip(values, differs, strict=True)]
