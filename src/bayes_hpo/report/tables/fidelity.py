"""How close released errors are to the printed ones, as tables of released/README.md, one for each study and scale."""

from pathlib import Path

import pandas as pd

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import Fault
from bayes_hpo.report.comparison import comparison
from bayes_hpo.report.fidelity import by_method
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.markdown import has_place, markdown, put
from bayes_hpo.report.tables.table import NOTHING, number

EARLY = 0.2  # share of the trials: what 5-fold validation would leave of a printed budget that counts models


def update(results: Results) -> list[str]:
    """Put the table of released Results into their README.md, when that has a place for it.

    A command that leaves data sets out makes no table. Returns a sentence (list) when it cannot be made.
    """
    page, place = Path(str(results.released), "README.md"), f"fidelity {results.study} {results.scale}"
    try:
        if has_place(place, page) and not results.left_out:
            put(place, table(results), page)
    except Fault as problem:
        return [str(problem)]
    return []


def table(results: Results) -> str:
    """Lines of the table: a row for each printed method, and one without the flagged data sets where it has some.

    Each method stands alone, on every data set on which it has scores (`fidelity.by_method`), at the end of its
    searches and, in one column, early in them.
    """
    flagged = results.printed.called(results.printed.flagged)
    early, rows = _early(results.scores), dict[str, dict]()
    for validation in results.printed.precision:
        for method in results.methods:
            end, before = (_alone(results, scores, validation, method) for scores in (results.scores, early))
            entered = [name for name in flagged if name in end.mean.index]
            for less in ([], entered) if entered else ([],):
                rows |= _row(results.printed, end.without(less), before.without(less), less)
    return markdown("method", pd.DataFrame.from_dict(rows, orient="index"))


def _early(scores):
    """The scores at the step nearest to a share EARLY of the trials, as if the searches had ended there."""
    before_end = scores[~scores["final"]]
    wanted = EARLY * scores["iteration"].max()
    step = min(sorted(before_end["iteration"].unique()), key=lambda t: abs(t - wanted), default=0)
    return before_end[before_end["iteration"] == step].assign(final=True)


def _alone(results, scores, validation, method):
    """The Comparison of one method with the print on all of its own data sets, maybe none."""
    return comparison(scores, validation, [method], results.datasets, results.printed.of_validation(validation))


def _row(printed, end, before, less):
    """dict, label -> texts of one row; empty when nothing is printed of its cells.

    end, before: Comparison of the method at the end of its searches and early. less: data sets that they lack.
    """
    precision = printed.precision[end.validation]
    late, early = by_method(end, precision), by_method(before, precision)
    if late.empty:
        return {}
    numbers = late.iloc[0]
    ratio = f"{number(numbers.sd_ratio, 2)} ({numbers.sd_data_sets})"
    texts = {
        "data sets": str(numbers.data_sets),
        "rms z": number(numbers.rms_z, 2),
        "mean z": f"{numbers.mean_z:+.2f}",
        "farthest z": f"{numbers.farthest_z:+.1f} ({printed.dataset(numbers.farthest)})",
        "sd ratio (data sets)": ratio if numbers.sd_data_sets else NOTHING,
        "rms z, a fifth of the trials": number(early["rms_z"].get(numbers.name), 2),
    }
    without = f" without {', '.join(map(printed.dataset, less))}" if less else ""
    return {f"{printed.method(numbers.name)}, {VALIDATIONS[end.validation]}{without}": texts}
