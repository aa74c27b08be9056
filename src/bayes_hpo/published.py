"""The documents' printed numbers, read from published/ at the root of the checkout."""

import functools
from pathlib import Path

import pandas as pd

from bayes_hpo.errors import Fault
from bayes_hpo.names import VALIDATIONS, method

FOLDER = Path(__file__).resolve().parents[2] / "published"
METRICS = {"median_error_pct": "median", "iqr_Q3-Q1": "iqr", "winrate_pct": "win_rate", "avg_rank": "rank"}


@functools.cache
def rows(name):
    """The file published/<name>.csv, methods and validations named as in our configurations; do not change it.

    Raises: Fault when it cannot be read.
    """
    path = FOLDER / f"{name}.csv"
    try:
        frame = pd.read_csv(path)
    except (OSError, ValueError) as problem:
        raise Fault(f"{path} cannot be read ({problem}); restore it with: git checkout -- published") from problem
    ours = {label: validation for validation, label in VALIDATIONS.items()}
    return frame.assign(method=frame["method"].map(method), validation=frame["protocol"].map(ours))


def errors(validation):
    """Mean and sd (ddof 0) over 20 repetitions of the test error in percent: two frames (118 data sets, 14 methods).

    Source: thesis, table B.1 (holdout) and B.2 (kfold), one decimal.
    """
    cells = rows("thesis_B1_B2_errors").query("validation == @validation")
    methods = cells["method"].unique()
    mean, sd = (cells.pivot(index="dataset", columns="method", values=value) for value in ("value", "std"))
    return mean[methods], sd[methods]


def summary(table):
    """What table "T3_1" or "T3_5" prints: dict, validation -> frame of methods x (median, iqr, win_rate, rank)."""
    cells = rows(f"thesis_{table}")
    cells = cells.assign(metric=cells["metric"].map(METRICS))
    return {
        validation: part.pivot(index="method", columns="metric", values="value").loc[methods(table)]
        for validation, part in cells.groupby("validation")
    }


def methods(table):
    """Methods of table "T3_1" or "T3_5" in the printed order."""
    return list(rows(f"thesis_{table}")["method"].unique())


def in_order(printed, study):
    """The methods of `printed` that the study has, then the study's methods that no table of the thesis printed.

    So a method that somebody adds to the study stands below the published ones of every table.
    """
    known = {*methods("T3_1"), *methods("T3_5")}
    return [name for name in printed if name in study] + [name for name in study if name not in known]
