"""How close released errors are to the printed ones, as tables of released/README.md, one for each study and scale."""

from pathlib import Path

import pandas as pd

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import Fault
from bayes_hpo.report.cells import cells
from bayes_hpo.report.fidelity import by_method
from bayes_hpo.report.tables.markdown import has_place, markdown, put
from bayes_hpo.report.tables.table import NOTHING, number

EARLY = 0.2  # share of the trials: what 5-fold validation would leave of a printed budget that counts models


def update(given):
    """Put the table of an ArtifactInput of released scores into their README.md, when that has a place for it.

    A command that leaves data sets out makes no table. Returns a sentence (list) when it cannot be made.
    """
    page, place = Path(given.released, "README.md"), f"fidelity {given.study} {given.scale}"
    try:
        if has_place(place, page) and not given.left_out:
            put(place, table(given), page)
    except Fault as problem:
        return [str(problem)]
    return []


def table(given):
    """Lines of the table: a row for each printed method, and one without the flagged data sets where it has some.

    Each method stands alone, on every data set on which it has scores (`fidelity.by_method`), at the end of its
    searches and, in one column, early in them.
    """
    flagged = [name for name, label in given.published_names.items() if label in given.doubtful]
    early, rows = _early(given.scores), {}
    for validation in given.precision:
        for method in given.methods:
            end, before = (_alone(given, scores, validation, method) for scores in (given.scores, early))
            there = [name for name in flagged if name in end.mean.index]
            for less in ([], there) if there else ([],):
                rows |= _row(given, end.without(less), before.without(less), less)
    return markdown("method", pd.DataFrame.from_dict(rows, orient="index"))


def _early(scores):
    """The scores at the step nearest to a share EARLY of the trials, as if the searches had ended there."""
    traced = scores[~scores["final"]]
    wanted = EARLY * scores["iteration"].max()
    step = min(sorted(traced["iteration"].unique()), key=lambda t: abs(t - wanted), default=0)
    return traced[traced["iteration"] == step].assign(final=True)


def _alone(given, scores, validation, method):
    """The Cells of one method on all of its own data sets, maybe none."""
    return cells(scores, validation, [method], given.datasets, given.printed[validation])


def _row(given, end, before, less):
    """dict, label -> texts of one row; empty when nothing is printed of its cells.

    end, before: Cells of the method at the end of its searches and early. less: data sets that they lack.
    """
    precision = given.precision[end.validation]
    found, early = by_method(end, precision), by_method(before, precision)
    if found.empty:
        return {}
    one = found.iloc[0]
    names = {name: label or name for name, label in given.published_names.items()}
    texts = {
        "data sets": str(one.data_sets),
        "rms z": number(one.rms_z, 2),
        "mean z": f"{one.mean_z:+.2f}",
        "farthest z": f"{one.farthest_z:+.1f} ({names.get(one.farthest, one.farthest)})",
        "sd ratio (data sets)": f"{number(one.sd_ratio, 2)} ({one.sd_data_sets})" if one.sd_data_sets else NOTHING,
        "rms z, a fifth of the trials": number(early["rms_z"].get(one.name), 2),
    }
    without = f" without {', '.join(names[name] for name in less)}" if less else ""
    return {f"{given.label(one.name)}, {VALIDATIONS[end.validation]}{without}": texts}
