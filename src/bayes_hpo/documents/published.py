"""The printed numbers of the documents, read from published/ in the checkout."""

import functools
from collections.abc import Collection, Iterable, Mapping

import pandas as pd

from bayes_hpo.documents.catalog import read, source
from bayes_hpo.documents.names import NO_LABELS, VALIDATIONS, method

METRICS = {"median_error_pct": "median", "iqr_Q3-Q1": "iqr", "winrate_pct": "win_rate", "avg_rank": "rank"}
CHAPTER_3 = {"holdout": "TB_1", "kfold": "TB_2"}  # validation -> table of errors


@functools.cache
def rows(name: str) -> pd.DataFrame:
    """The file published/<name>.csv: labels as printed, NaN where nothing is printed. It is cached: do not change it.

    Raises: RunError when it cannot be read.
    """
    labels = dict.fromkeys(("table", "dataset"), str)  # names of tables and of OpenML data sets may be numbers
    return read(f"{name}.csv", lambda path: pd.read_csv(path, dtype=labels))


def _chapter_3(name):
    """`rows` with our names of methods and validations."""
    frame = rows(name)
    ours = {label: validation for validation, label in VALIDATIONS.items()}
    named = {column: frame[column].map(method) for column in frame if column.startswith("method")}
    return frame.assign(validation=frame["protocol"].map(ours), **named)


def _table(document, table):
    """The rows of one table of a document. Raises: UserError for a table whose numbers are not in published/."""
    cells = rows(source(document, table)["file"])
    return cells[cells["table"] == table[1:].replace("_", ".")]


def errors(validation: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean and sd (ddof 0) over 20 repetitions of the test error in percent: two frames (118 data sets, 14 methods).

    Source: thesis, table B.1 (holdout) and B.2 (kfold), one decimal.
    """
    return cells("thesis", CHAPTER_3[validation])


def cells(document: str, table: str, labels: Mapping[str, str] = NO_LABELS) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean and sd over repetitions of the test error in percent: two frames (data sets, methods).

    The sd is NaN where none is printed. Data sets as printed and in printed order, methods under our names.
    Tables: "TB_1", "TB_2" and those of `mean_errors`.
    labels: dict, our method -> name in the table, if it differs.
    """
    errors = _table(document, table).query("metric == 'test_error_pct'")
    errors = errors.assign(method=[method(label, labels) for label in errors["method"]])
    mean, sd = (errors.pivot(index="dataset", columns="method", values=value) for value in ("value", "std"))
    order = {"index": errors["dataset"].unique(), "columns": errors["method"].unique()}
    return mean.reindex(**order), sd.reindex(**order)


def summary(table: str) -> dict[str, pd.DataFrame]:
    """The values in table "T3_1" or "T3_5": dict, validation -> frame of methods x (median, iqr, win_rate, rank)."""
    cells = _chapter_3(f"thesis_{table}")
    cells = cells.assign(metric=cells["metric"].map(METRICS))
    return {
        validation: part.pivot(index="method", columns="metric", values="value").loc[methods(table)]
        for validation, part in cells.groupby("validation")
    }


def net_wins(table: str) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """The cells of table "T3_2", "T3_3" or "T3_4": dict, validation -> two frames (row method x column method).

    They contain the net wins of the row (int), and whether the cell is marked as significant (bool); methods in printed
    order.
    """
    cells = _chapter_3(source("thesis", table)["file"])
    cells = cells[cells["table"].str.startswith(table[1:].replace("_", "."))]  # 3.4a and 3.4b are the halves of 3.4
    return {
        validation: (
            _square(part, "wins_minus_losses_printed"),
            _square(part, "underlined_significant").astype(bool),
        )
        for validation, part in cells.groupby("validation")
    }


def mean_errors(document: str, table: str) -> tuple[pd.DataFrame, pd.Series]:
    """Printed test errors in percent, frame (data sets x methods), and mean ranks, series (methods).

    Labels as printed. Tables "T4_4", "T4_6" and "T5_2" of the thesis, "T2" and "T4" of uai2016, "T1" of divbo2022.
    """
    cells = _table(document, table)
    methods = cells["method"].unique()
    ranks = cells[cells["metric"] == "avg_rank"].set_index("method")["value"]
    cells = cells[cells["metric"] == "test_error_pct"]
    return cells.pivot(index="dataset", columns="method", values="value")[methods], ranks[methods]


def p_values(document: str, table: str) -> pd.DataFrame:
    """Printed p values of Wilcoxon's test: frame (row method x column method), NaN on the diagonal; labels as printed.

    Tables "T4_3", "T4_5" and "T5_3" of the thesis, "T3" and "T5" of uai2016.
    """
    return _square(_table(document, table), "p_printed")


def by_metric(
    document: str, table: str, metrics: Mapping[str, str], labels: Collection[str]
) -> dict[str, pd.DataFrame]:
    """Cells of a table such as "T4_7": dict, value or std -> frame (methods x metrics), NaN where nothing is legible.

    metrics: dict, our name -> name in the file.
    labels: printed names of the methods.
    """
    cells = _table(document, table)
    frames = {name: cells.pivot(index="method", columns="metric", values=name) for name in ("value", "std")}
    return {
        name: frame.reindex(index=labels, columns=metrics.values()).set_axis(list(metrics), axis=1)
        for name, frame in frames.items()
    }


def by_protocol(document: str, table: str) -> dict[str, pd.DataFrame]:
    """The cells of table "T3" or "T4" of divbo2022: dict, value or std -> frame (methods x protocols).

    Labels as printed.
    """
    cells = _table(document, table)
    order = {"index": cells["method"].unique(), "columns": cells["protocol"].unique()}
    return {
        name: cells.pivot(index="method", columns="protocol", values=name).reindex(**order) for name in ("value", "std")
    }


def win_frequencies(document: str) -> dict[str, tuple[pd.DataFrame, pd.Series]]:
    """The win frequencies in "esmbo_uai" or "esmbo_arxiv": dict, space -> (frame, series).

    The frame holds the frequency with which the row method wins against the column method, the series the expected rank
    of each method; labels as printed.
    """
    wins, ranks = rows("esmbo_win_frequency"), rows("esmbo_expected_rank")
    ranks = ranks[ranks["document"] == document].set_index(["space", "method"])["E_rank"]
    by_space = wins[wins["document"] == document].groupby("space", sort=False)
    return {space: (_square(part, "win_frequency"), ranks[space]) for space, part in by_space}


def _square(cells, value):
    """Frame (row method x column method) of one column, methods in the order of the rows."""
    methods = cells["method_row"].unique()
    return cells.pivot(index="method_row", columns="method_col", values=value).loc[methods, methods]


def methods(table: str) -> list[str]:
    """Methods of table "T3_1" or "T3_5" in the printed order."""
    return list(_chapter_3(f"thesis_{table}")["method"].unique())


def in_order(printed: Iterable[str], study: Collection[str]) -> list[str]:
    """The methods of `printed` that the study has, then those of the study that neither table 3.1 nor 3.5 prints.

    So a method added to the study comes after the published ones in every table.
    """
    known = {*methods("T3_1"), *methods("T3_5")}
    return [name for name in printed if name in study] + [name for name in study if name not in known]
