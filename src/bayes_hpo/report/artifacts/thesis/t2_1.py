"""Thesis, table 2.1: the hyperparameters of the random forest, as our configuration has them and as printed."""

import pandas as pd

from bayes_hpo import published
from bayes_hpo.report.table import NOTHING, Table

TITLE = "Table 2.1: hyperparameters of the random forest"
MEASURE = "search_space"  # what it rests on instead of scores
PRINTED = {"num_estimators": "n_estimators"}  # printed name -> ours, scikit-learn's
COLUMNS = ["type", "low_or_values", "high", "scale"]


def table(given):
    """A row per hyperparameter: ours, which is what is searched, beside the printed one."""
    ours = given.measure(MEASURE).set_index("hyperparameter")
    rows = published.rows("search_spaces").query("document == 'thesis' and table_or_section == '2.1'")
    theirs = rows.fillna("").replace({"hyperparameter": PRINTED}).set_index("hyperparameter").reindex(ours.index)
    both = {"ours": ours, "published": theirs}
    cells = pd.DataFrame({name: part.apply(in_words, axis=1) for name, part in both.items()})
    told = [part[COLUMNS].rename(columns={"scale": "search_scale"}) for part in both.values()]  # scale: of the run
    values = told[0].join(told[1].add_suffix("_published")).reset_index()
    notes = ["Names are scikit-learn's; ours: the space that the searches of this scale have, each value as likely."]
    return Table(cells.rename_axis(index="hyperparameter"), values, notes)


def in_words(row):
    """A range or choices as one text, NOTHING where nothing is printed."""
    if row.isna().any():
        return NOTHING
    if row["type"] == "cat":
        return row["low_or_values"].replace("|", ", ")
    return f"{row['low_or_values']} to {row['high']}, {row['type']}, {row['scale']}"
