"""The table of validation and test errors of whole ensembles, ours and the printed ones: table 4.7 of the thesis."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report import caption
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import Table, pair, stacked

HEADERS = {"validation_error": "Validation", "test_error": "Testing"}
METRICS = {"validation_error": "validation_error_pct", "test_error": "testing_error_pct"}


def vote_table(results: Results, *, measure: str, dataset: str, validation: str, table: str, note: str) -> Table:
    """Table of methods x (validation, test) x (ours, published): mean (sd, ddof 0) over repetitions, in percent.

    measure: name of the measure (`measures.ensemble_sizes`); its largest size is shown.
    dataset: data set of the document; the largest of the suite replaces one that is missing.
    table: table of the document.
    note: sentence on the print.
    Raises: RunError without the measure.
    """
    title, rows = results.shown(measure, dataset, validation)
    last = rows[rows["size"] == rows["size"].max()]
    ours = _ours(results, last)
    both = {"ours": ours, "publ.": published.by_metric("thesis", table, METRICS, list(ours["value"].index))}
    cells = {
        (header, whose): [pair(*numbers, 2) for numbers in zip(of["value"][key], of["std"][key], strict=True)]
        for key, header in HEADERS.items()
        for whose, of in both.items()
    }
    frames = {"ours_mean": ours["value"], "ours_sd": ours["std"]}
    frames |= {"published_mean": both["publ."]["value"], "published_sd": both["publ."]["std"]}
    values = stacked(["method", "metric"], **frames).reset_index()
    size, repetitions = last["size"].max(), last["repetition"].nunique()
    notes = [
        f"{title}: {VALIDATIONS[validation]}, the last rows outside the test part, "
        f"{caption.counted(repetitions, 'repetition')}.",
        f"Mean error in % (sd over repetitions) after {size} steps of the selection.",
    ]
    of = {"dataset": last["dataset"].iloc[0], "size": size, "repetitions": repetitions}
    return Table(pd.DataFrame(cells, ours["value"].index), values.assign(**of), [*notes, note])


def _ours(results, rows):
    """dict, value or std -> frame (methods under printed labels x HEADERS) over the repetitions in `rows`."""
    label = {method: results.printed.method(method) for method in results.methods if method in set(rows["method"])}
    errors = results.unit.factor * rows.set_index("method")[list(HEADERS)]
    by_method = errors.groupby(level="method")
    both = {"value": by_method.mean(), "std": by_method.std(ddof=0)}
    return {name: frame.loc[list(label)].rename(index=label) for name, frame in both.items()}
