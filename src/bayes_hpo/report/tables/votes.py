"""The table of validation and test error of whole ensembles beside the print: table 4.7 of the thesis."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report import caption
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import Table, pair

HEADERS = {"validation_error": "Validation", "test_error": "Testing"}
METRICS = {"validation_error": "validation_error_pct", "test_error": "testing_error_pct"}
WHOSE = ("ours", "publ.")


def vote_table(results: Results, *, measure: str, dataset: str, validation: str, table: str, note: str) -> Table:
    """Table of methods x (validation, test) x (ours, published): mean (sd, ddof 0) over repetitions, in percent.

    measure: name of the frame of `measures.ensemble_sizes`, of which the last size is shown.
    dataset: that of the document; the largest of the suite stands in for another one.
    table: the document's. note: a sentence on the print. Raises: RunError without the measure.
    """
    title, rows = results.shown(measure, dataset, validation)
    last = rows[rows["size"] == rows["size"].max()]
    label = {method: results.printed.method(method) for method in results.methods if method in set(last["method"])}
    grouped = last.groupby("method")[list(HEADERS)]
    ours = {"value": 100 * grouped.mean(), "std": 100 * grouped.std(ddof=0)}
    theirs = published.by_metric("thesis", table, METRICS, list(label.values()))
    both = {whose: [] for whose in WHOSE}
    both["ours"] = [ours[number].loc[list(label)].set_axis(list(label.values())) for number in ("value", "std")]
    both["publ."] = [theirs[number] for number in ("value", "std")]
    cells = pd.DataFrame(
        {
            (header, whose): [pair(mean, sd, 2) for mean, sd in zip(*(frame[key] for frame in frames), strict=True)]
            for key, header in HEADERS.items()
            for whose, frames in both.items()
        },
        index=pd.Index(label.values(), name="method"),
    )
    stacked = {
        (whose, kind): f.stack() for whose, fs in both.items() for kind, f in zip(("mean", "sd"), fs, strict=True)
    }
    values = pd.DataFrame({"_".join(key).replace(".", ""): part for key, part in stacked.items()})
    values = (
        values.rename_axis(["method", "metric"])
        .reset_index()
        .assign(dataset=last["dataset"].iloc[0], size=last["size"].max())
    )
    count = caption.counted(last["repetition"].nunique(), "repetition")
    return Table(
        cells,
        values,
        [
            f"{title}: {VALIDATIONS[validation]}, the last rows outside the test part, {count}.",
            f"Mean error in % (sd over repetitions) after {last['size'].max()} steps of the selection.",
            note,
        ],
    )
