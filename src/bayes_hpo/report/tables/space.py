"""Tables of a search space: the hyperparameters that are searched beside the printed ones."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report.tables.table import NOTHING, Table

COLUMNS = ["type", "low_or_values", "high", "scale"]


def printed_space(place):
    """The rows of a table or section of the thesis (such as "2.1"), texts, empty where nothing is printed."""
    rows = published.rows("search_spaces")
    return rows[(rows["document"] == "thesis") & (rows["table_or_section"] == place)].fillna("")


def space_table(ours, theirs, notes):
    """Table of a row per hyperparameter that is searched.

    ours: frame of the measure search_space. theirs: frame with column hyperparameter, our name, and COLUMNS.
    """
    ours = ours.set_index("hyperparameter")
    both = {"ours": ours, "published": theirs.set_index("hyperparameter").reindex(ours.index)}
    cells = pd.DataFrame({name: part.apply(in_words, axis=1) for name, part in both.items()})
    told = [part[COLUMNS].rename(columns={"scale": "search_scale"}) for part in both.values()]  # scale: of the run
    values = told[0].join(told[1].add_suffix("_published")).reset_index()
    return Table(cells.rename_axis(index="hyperparameter"), values, notes)


def in_words(row):
    """A range or choices as one text, NOTHING where nothing is printed."""
    if row.isna().any():
        return NOTHING
    if not row["high"]:
        return row["low_or_values"].replace("|", ", ")
    return f"{float(row['low_or_values']):g} to {float(row['high']):g}, {row['type']}, {row['scale']}"
