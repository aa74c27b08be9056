"""Errors of single suggestions, and how often they improve the ensemble: tables 3 and 4 of Shen et al. 2022."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report import caption, measured
from bayes_hpo.report.comparison import covering
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import Table, number, pair
from bayes_hpo.stats.ranks import share_above_mean

BETTER = "better than random (%)"
ERROR = "validation error (%)"
FEW = "not measured, or on too few data sets"


def errors_table(
    *studies: Results, measure: str, random: str, dataset: str, validation: str, first: int, printed: dict, notes: list
) -> Table:
    """Table of methods x (error, share of worse random trials) x (ours, published), mean (sd, divisor n - 1).

    studies: the one with the measure of the searches and the one with that of the random trials, in any order.
    measure, random: names of these measures (`measures.suggestions`).
    dataset: data set of the document; the largest of the suite replaces one that is missing.
    first: trial from which suggestions count (D28).
    printed: method -> printed percentage of random trials that are worse than its mean suggestion.
    Raises: MissingResultsError without the results of both.
    """
    if len(studies) < 2:
        raise MissingResultsError(f"beside the results of {studies[0].study} those of another study are needed")
    results, others = (next(of for of in studies if name in of.measure_settings) for name in (measure, random))
    title, rows = results.shown(measure, dataset, validation)
    _, drawn = others.shown(random, dataset, validation)
    suggested = rows[rows["iteration"] >= first]
    values = _values(results, suggested, drawn).assign(dataset=rows["dataset"].iloc[0])
    values["better_than_random_published"] = values["method"].map(printed)
    return Table(
        _error_cells(values),
        values,
        [
            *measured.coverage(results, title, rows, validation),
            *measured.failures(results, suggested),
            measured.constant_error(rows),
            f"Mean (sd) over the trials from {first} on of all repetitions, failed ones left out.",
            f"{BETTER}: share of {drawn['iteration'].max()} random trials of the same repetition that fail or err more "
            "than the mean suggestion, averaged over repetitions.",
            *notes,
        ],
    )


def better_than_random(suggested: pd.DataFrame, drawn: pd.DataFrame) -> float:
    """Percentage of random trials that are worse than the mean suggestion, averaged over common repetitions.

    suggested, drawn: frames with repetition and error; NaN is a failed trial, worse than any error.
    """
    ours, random = ({r: rows["error"] for r, rows in frame.groupby("repetition")} for frame in (suggested, drawn))
    return 100 * pd.Series([share_above_mean(random[r], ours[r]) for r in ours if r in random]).mean()


def updates_table(
    results: Results, *, measure: str, methods: list[str], windows: dict, validation: str, notes: list
) -> Table:
    """Table of methods x windows x (ours, published): effective updates, mean over data sets.

    measure: name of the measure (`measures.suggestions.SuggestionStatistics`).
    methods: methods in the document.
    windows: window of the measure -> its name in print (`protocol` of table 4).
    """
    rows = results.measure(measure).query("validation == @validation")
    kept = covering(rows.assign(final=True), validation, [name for name in methods if name in set(rows["method"])])
    rows = rows[rows["method"].isin(kept)]
    wide = rows.pivot(index=["dataset", "repetition"], columns=["quantity", "method"], values="value")
    labels, print_ = measured.methods(results, rows), published.by_protocol("divbo2022", "T4")["value"]
    shared = wide[[f"effective_updates_{name}" for name in windows]].dropna()
    means = shared.groupby("dataset").mean().mean().unstack("quantity")
    values = pd.DataFrame(
        {
            "method": label,
            "window": protocol,
            "updates": means.loc[name, f"effective_updates_{window}"],
            "published": print_[protocol].get(label),
        }
        for name, label in labels.items()
        for window, protocol in windows.items()
    )
    cells = {
        (protocol.removesuffix(" it"), whose): [number(value, 1) for value in part[column]]
        for protocol, part in values.groupby("window", sort=False)
        for whose, column in (("ours", "updates"), ("publ.", "published"))
    }
    repetitions = shared.reset_index().groupby("dataset")["repetition"].nunique()
    title = caption.size(len(repetitions), repetitions, results.planned(validation))
    return Table(
        pd.DataFrame(cells, index=pd.Index(labels.values(), name="method")),
        values,
        [f"{VALIDATIONS[validation].capitalize()}: {title}.", *measured.absent(results, rows, methods, FEW), *notes],
    )


def _values(results, suggested, drawn):
    """Numbers of `errors_table` (frame): ours, and the published errors."""
    errors = 100 * suggested.groupby("method")["error"].agg(["mean", "std"])
    print_ = {name: frame.iloc[:, 0] for name, frame in published.by_protocol("divbo2022", "T3").items()}
    return pd.DataFrame(
        {
            "method": label,
            "error": errors.loc[name, "mean"],
            "error_sd": errors.loc[name, "std"],
            "error_published": print_["value"].get(label),
            "error_sd_published": print_["std"].get(label),
            "better_than_random": better_than_random(suggested[suggested["method"] == name], drawn),
        }
        for name, label in measured.methods(results, suggested).items()
    )


def _error_cells(values):
    """Texts of `errors_table` (frame)."""
    rows = values.itertuples()
    cells = [
        (
            pair(row.error, row.error_sd, 2),
            pair(row.error_published, row.error_sd_published, 2),
            number(row.better_than_random, 0),
            number(row.better_than_random_published, 0),
        )
        for row in rows
    ]
    header = pd.MultiIndex.from_product([[ERROR, BETTER], ["ours", "publ."]])
    return pd.DataFrame(cells, index=pd.Index(values["method"], name="method"), columns=header)
