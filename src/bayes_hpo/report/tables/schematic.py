"""Tables that need no runs: our and printed search spaces, and algorithms with the functions that implement them."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table

COLUMNS = ["type", "low_or_values", "high", "scale"]
ALGORITHM = "Our paraphrase of the document's lines; the code is in src/bayes_hpo."


def algorithm(results: Results, *, steps: list) -> Table:
    """Table of the steps of an algorithm. steps: list of (line in the document, description, function)."""
    values = pd.DataFrame(steps, columns=["line", "step", "code"])
    return Table(values.astype(str).set_index(["line", "step"]), values, [ALGORITHM])


def space_table(results: Results, *, measure: str, place: str, learners: dict, names: dict, notes: list) -> Table:
    """Table with a row per hyperparameter: our range, which is the one searched, and the printed one.

    measure: measure with our space.
    place: table or section of the thesis, such as "2.1".
    learners: dict, printed learner -> ours, "" for a learner that is not part of our names.
    names: dict, printed name -> ours.
    """
    ours = results.measure(measure).set_index("hyperparameter")
    printed = _printed(place, learners, names).set_index("hyperparameter").reindex(ours.index)
    both = {"ours": ours, "published": printed}
    cells = pd.DataFrame({name: part.apply(_text, axis=1) for name, part in both.items()})
    ours, printed = (
        part[COLUMNS].rename(columns={"scale": "search_scale"}) for part in both.values()
    )  # the column `scale` is that of the runs
    values = ours.join(printed.add_suffix("_published")).reset_index()
    return Table(cells.rename_axis(index="hyperparameter"), values, notes)


def _printed(place, learners, names):
    """The printed space as texts under our names of hyperparameters, empty where nothing is printed."""
    rows = published.rows("search_spaces")
    rows = rows[(rows["document"] == "thesis") & (rows["table_or_section"] == place)].fillna("")
    prefix = rows["learner"].replace(learners).map(lambda learner: f"{learner}_" if learner else "")
    return rows.assign(hyperparameter=(prefix + rows["hyperparameter"]).replace(names))


def _text(row):
    """A range or the choices as one text, NOTHING where nothing is printed."""
    if row.isna().any():
        return NOTHING
    if not row["high"]:
        return row["low_or_values"].replace("|", ", ")
    return f"{float(row['low_or_values']):g} to {float(row['high']):g}, {row['type']}, {row['scale']}"
