"""The searches that the rows of a measure are of, for captions."""

from collections.abc import Iterable

import pandas as pd

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report import caption
from bayes_hpo.report.results import Results


def methods(results: Results, rows: pd.DataFrame) -> dict[str, str]:
    """Method -> its printed name, of those that a measure has rows of, in the study's order."""
    measured = set(rows["method"].unique())
    return {name: results.printed.method(name) for name in results.methods if name in measured}


def absent(results: Results, rows: pd.DataFrame, every: Iterable[str], reason: str = "not measured") -> list[str]:
    """The sentence (list) on those of every method that a measure has no rows of."""
    found, label = methods(results, rows), results.printed.method
    missing = [label(name) for name in every if name not in found]
    return [f"Left out, {reason}: {', '.join(missing)}."] if missing else []


def coverage(results: Results, title: str, rows: pd.DataFrame, validation: str) -> list[str]:
    """Sentences on the data sets (title), repetitions and methods of the study that the rows of a measure are of."""
    counts, (_, planned) = rows.groupby("method")["repetition"].nunique(), results.planned(validation)
    what = f"{title}: {VALIDATIONS[validation]}, {caption.of_planned(counts, planned, 'repetition')}."
    return [what, *absent(results, rows, results.methods)]


def constant_error(rows: pd.DataFrame) -> str:
    """The sentence on the error of the constant prediction on the validation rows of the searches."""
    errors = 100 * rows["constant_error"]
    return f"The most frequent class as prediction of all validation rows errs on {errors.mean():.1f} % of them."
