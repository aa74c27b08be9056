"""Toy ensembles and their losses, ours and the printed ones: tables 4.1 and 4.2 of the thesis."""

from typing import Any

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table, number

LOST = "lost"
LOSSES = {  # loss in the measure -> (column in published/, header)
    "zero_one": ("ens_01", "zero-one"),
    "margin": ("ens_M", "margin"),
    "squared_margin": ("ens_M2", "sq. margin"),
    "sigmoid": ("ens_sig", "sigmoid"),
    "c_bound": ("ens_C", "C-bound"),
}
SINGLE = "single"
OURS, PUBLISHED = "ours", "publ."
DECIMALS = 2


def table(results: Results, *, measure: str, toy: str, rows: dict, errors: dict, notes: list) -> Table:
    """Table of an ensemble and its candidates: errors and mean error of each, and losses of the ensemble.

    rows: row of the measure -> printed rows (list) in which it is legible.
    errors: row of the measure -> its printed errors, separated by spaces, with `?` for an illegible one.
    """
    of_toy = results.measure(measure)
    of_toy = of_toy[of_toy["toy"] == toy].set_index("row").loc[list(rows)]
    printed = published.rows("thesis_T4_1_T4_2_toy_printed")
    printed = printed[printed["table"] == toy[1:].replace("_", ".")].set_index("row")
    legible = {name: printed.loc[list(places)].bfill().head(1) for name, places in rows.items()}
    text: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for name, row in of_toy.iterrows():
        text[str(name), OURS] = _ours(row)
        text[str(name), PUBLISHED] = _published(row, legible[name], errors.get(name, ""))
    cells = pd.DataFrame.from_dict(text, orient="index").fillna(NOTHING)
    cells.index = pd.MultiIndex.from_tuples(text, names=["classifier", ""])
    beside = {f"{loss}_published": [_value(legible[name], column) for name in rows] for loss, column in _columns()}
    return Table(cells, of_toy.drop(columns="toy").assign(**beside).reset_index(), notes)


def _columns():
    return [(SINGLE, "mean01"), *((loss, column) for loss, (column, _) in LOSSES.items())]


def _ours(row):
    """Texts of our row: dict by header."""
    text = _errors(row["wrong"].split()) | {("single", "mean"): number(row[SINGLE], DECIMALS)}
    return text | {("ensemble", header): number(row[loss], DECIMALS) for loss, (_, header) in LOSSES.items()}


def _published(row: Any, legible: pd.DataFrame, errors: str) -> dict[tuple[str, str], str]:
    """Texts of the printed row: dict by header, LOST where ours has a cell but no legible one is printed."""
    headers = {SINGLE: ("single", "mean")} | {loss: ("ensemble", header) for loss, (_, header) in LOSSES.items()}
    values = {headers[loss]: _value(legible, column) for loss, column in _columns()}
    known = _errors(errors.split()) | {at: number(value, DECIMALS) for at, value in values.items() if pd.notna(value)}
    ours = [at for at, text in _ours(row).items() if text != NOTHING]
    return {at: known.get(at, LOST).replace("?", LOST) for at in ours}


def _errors(words):
    """Errors of the examples: dict by header."""
    return {("single", f"x{number}"): word for number, word in enumerate(words)}


def _value(legible, column):
    """A printed number, NaN if illegible; a cell such as `0.40 x4` represents several rows."""
    cell = legible[column].iloc[0] if len(legible) else None
    return float("nan") if pd.isna(cell) else float(str(cell).split()[0])
