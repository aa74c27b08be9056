"""How close released errors are to the printed ones, as tables of released/README.md, one for each study and scale."""

from pathlib import Path

import pandas as pd

from bayes_hpo.names import VALIDATIONS
from bayes_hpo.report.fidelity import by_method
from bayes_hpo.report.markdown import has_place, markdown, put
from bayes_hpo.report.table import NOTHING, number


def update(given):
    """Put the table of an ArtifactInput of released scores into their README.md, when that has a place for it."""
    page, place = Path(given.released, "README.md"), f"fidelity {given.study} {given.scale}"
    if has_place(place, page):
        put(place, table(given), page)


def table(given):
    """Lines of the table: a row for each printed method, and one without the flagged data sets where it has some.

    Each method stands alone, on every data set on which it has scores (`fidelity.by_method`).
    """
    flagged = [name for name, label in given.published_names.items() if label in given.doubtful]
    rows = {}
    for validation, method in _scored(given):
        cells = given.cells(given.scores, [method], [validation])[validation]
        there = [name for name in flagged if name in cells.mean.index]
        for less in ([], there) if there else ([],):
            rows |= _row(given, cells.without(less), method, less)
    return markdown("method", pd.DataFrame.from_dict(rows, orient="index"))


def _scored(given):
    """(validation, method) of what is printed and has scores, validations in the study's order."""
    there = set(given.scores.groupby(["validation", "method"]).groups)
    every = [(name, method) for name in given.precision for method in given.methods]
    return [one for one in every if one in there]


def _row(given, cells, method, less):
    """dict, label -> texts of one row; empty when nothing is printed of these cells. less: data sets left out."""
    found = by_method(cells, given.precision[cells.validation])
    if found.empty:
        return {}
    one = found.iloc[0]
    names = {name: label or name for name, label in given.published_names.items()}
    without = f" without {', '.join(names[name] for name in less)}" if less else ""
    ratio = f"{number(one.sd_ratio, 2)} ({one.sd_data_sets})" if one.sd_data_sets else NOTHING
    texts = {
        "data sets": str(one.data_sets),
        "rms z": number(one.rms_z, 2),
        "mean z": f"{one.mean_z:+.2f}",
        "farthest z": f"{one.farthest_z:+.1f} ({names.get(one.farthest, one.farthest)})",
        "sd ratio (data sets)": ratio,
    }
    return {f"{given.label(method)}, {VALIDATIONS[cells.validation]}{without}": texts}
