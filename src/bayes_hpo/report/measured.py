"""Captions of artifacts made from a measure: the searches behind its rows."""

from collections.abc import Iterable

import pandas as pd

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report import caption
from bayes_hpo.report.results import Results


def methods(results: Results, rows: pd.DataFrame) -> dict[str, str]:
    """The methods with rows in a measure: dict, method -> printed name, in the study's order."""
    measured = set(rows["method"].unique())
    return {name: results.printed.method(name) for name in results.methods if name in measured}


def absent(results: Results, rows: pd.DataFrame, every: Iterable[str], reason: str = "not measured") -> list[str]:
    """The sentence (list) on the methods in `every` without rows in a measure."""
    found, label = methods(results, rows), results.printed.method
    missing = [label(name) for name in every if name not in found]
    return [f"Left out, {reason}: {', '.join(missing)}."] if missing else []


def coverage(results: Results, title: str, rows: pd.DataFrame, validation: str) -> list[str]:
    """Sentences on the data sets (title) and repetitions behind rows of a measure, and on methods without rows."""
    counts, (_, planned) = rows.groupby("method")["repetition"].nunique(), results.planned(validation)
    what = f"{title}: {VALIDATIONS[validation]}, {caption.of_planned(counts, planned, 'repetition')}."
    return [what, *absent(results, rows, results.methods)]


def failures(results: Results, rows: pd.DataFrame) -> list[str]:
    """The sentence (list) on the failed trials among some rows of suggestions, whose error is NaN, by method."""
    failed = rows["error"].isna().groupby(rows["method"]).agg(["sum", "size"])
    parts = [
        f"{label} {failed.loc[name, 'sum']} of {failed.loc[name, 'size']}"
        for name, label in methods(results, rows).items()
    ]
    return [f"Failed, and so left out: {', '.join(parts)} trials."] if failed["sum"].any() else []


def constant_error(rows: pd.DataFrame) -> str:
    """The sentence on the validation error of the constant prediction, the most frequent class."""
    errors = 100 * rows["constant_error"]
    return f"The most frequent class as prediction of all validation rows errs on {errors.mean():.1f} % of them."
