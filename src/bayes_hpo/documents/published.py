"""The documents' printed numbers, read from published/ at the root of the checkout."""

import functools
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import bayes_hpo
from bayes_hpo.documents.names import NO_LABELS, VALIDATIONS, method
from bayes_hpo.errors import Fault, UserError

FOLDER = Path(bayes_hpo.__file__).resolve().parents[2] / "published"
METRICS = {"median_error_pct": "median", "iqr_Q3-Q1": "iqr", "winrate_pct": "win_rate", "avg_rank": "rank"}
CHAPTER_3 = {"holdout": "TB_1", "kfold": "TB_2"}  # validation -> the table of its errors
TABLES = {  # document and table -> the file that holds it, below published/
    ("thesis", "TB_1"): "thesis_B1_B2_errors",
    ("thesis", "TB_2"): "thesis_B1_B2_errors",
    ("thesis", "T3_2"): "thesis_T3_2_3_3_winloss",
    ("thesis", "T3_3"): "thesis_T3_2_3_3_winloss",
    ("thesis", "T3_4"): "thesis_T3_4_winloss",
    ("thesis", "T4_3"): "pvalues_UAI3_UAI5_T4_3_T4_5",
    ("thesis", "T4_4"): "thesis_T4_4_T4_6_errors",
    ("thesis", "T4_5"): "pvalues_UAI3_UAI5_T4_3_T4_5",
    ("thesis", "T4_6"): "thesis_T4_4_T4_6_errors",
    ("thesis", "T5_2"): "thesis_T5_2_errors",
    ("thesis", "T5_3"): "thesis_T5_3_pvalues",
    ("uai2016", "T2"): "uai_T2_T4_errors",
    ("uai2016", "T3"): "pvalues_UAI3_UAI5_T4_3_T4_5",
    ("uai2016", "T4"): "uai_T2_T4_errors",
    ("uai2016", "T5"): "pvalues_UAI3_UAI5_T4_3_T4_5",
    ("divbo2022", "T1"): "divbo_tables",
}


@dataclass(frozen=True)
class Precision:
    """repetitions behind a printed mean, and the decimals it is printed with."""

    repetitions: int
    decimals: int


PRECISION = {  # document and table of errors -> how precise it is
    ("thesis", "TB_1"): Precision(20, 1),
    ("thesis", "TB_2"): Precision(20, 1),
    ("thesis", "T4_4"): Precision(10, 2),
    ("thesis", "T4_6"): Precision(10, 2),
    ("thesis", "T5_2"): Precision(10, 2),
    ("uai2016", "T2"): Precision(10, 2),
    ("uai2016", "T4"): Precision(10, 2),
    ("divbo2022", "T1"): Precision(10, 2),
}


@functools.cache
def rows(name):
    """The file published/<name>.csv, labels as printed, NaN where nothing is printed; do not change it.

    Raises: Fault when it cannot be read.
    """
    path = FOLDER / f"{name}.csv"
    labels = dict.fromkeys(("table", "dataset"), str)  # tables and OpenML data sets may be called by a number
    try:
        return pd.read_csv(path, dtype=labels)
    except (OSError, ValueError) as problem:
        raise Fault(f"{path} cannot be read ({problem}); restore it with: git checkout -- published") from problem


def _chapter_3(name):
    """rows(name) with methods and validations named as in our configurations."""
    frame = rows(name)
    ours = {label: validation for validation, label in VALIDATIONS.items()}
    named = {column: frame[column].map(method) for column in frame if column.startswith("method")}
    return frame.assign(validation=frame["protocol"].map(ours), **named)


def _table(document, table):
    """The rows of one table, such as "T4_4" of "thesis". Raises: UserError for one whose numbers are not here."""
    if (document, table) not in TABLES:
        known = [f"{name} of {one}" for one, name in TABLES]
        raise UserError(f"published/ holds no numbers of {table} of {document}; allowed: {', '.join(known)}")
    cells = rows(TABLES[document, table])
    return cells[cells["table"] == table[1:].replace("_", ".")]


def errors(validation):
    """Mean and sd (ddof 0) over 20 repetitions of the test error in percent: two frames (118 data sets, 14 methods).

    Source: thesis, table B.1 (holdout) and B.2 (kfold), one decimal.
    """
    return cells("thesis", CHAPTER_3[validation])


def cells(document, table, labels=NO_LABELS):
    """Mean and sd over repetitions of the test error in percent: two frames (data sets, methods), sd maybe NaN.

    Data sets as printed, in the printed order, methods as ours. Tables "TB_1", "TB_2", and those of `mean_errors`.
    labels: dict, our method -> what the table calls it, if not by its name.
    """
    found = _table(document, table).query("metric == 'test_error_pct'")
    found = found.assign(method=[method(label, labels) for label in found["method"]])
    mean, sd = (found.pivot(index="dataset", columns="method", values=value) for value in ("value", "std"))
    order = {"index": found["dataset"].unique(), "columns": found["method"].unique()}
    return mean.reindex(**order), sd.reindex(**order)


def datasets(study):
    """What the tables of a study call their data sets: list, once each, in the printed order."""
    found = (name for table in study["tables"].values() for name in cells(study["document"], table)[0].index)
    return list(dict.fromkeys(found))


def of_study(study, data_sets):
    """The `cells` of the tables that a study names: dict, validation -> mean and sd, index our data sets.

    study: its configuration. data_sets: dict, name -> row of the registry. NaN where nothing is printed.
    """
    known, found = names(study, data_sets), {}
    for validation, table in study["tables"].items():
        both = cells(study["document"], table, study["labels"])
        found[validation] = tuple(part.reindex(list(known.values())).set_axis(list(known)) for part in both)
    return found


def precisions(study):
    """The Precision of the tables that a study (its configuration) names: dict, by validation."""
    return {validation: PRECISION[study["document"], table] for validation, table in study["tables"].items()}


def to_compare(study, data_sets):
    """The same cells as `of_study` without the data sets that the study calls not comparable."""
    unlike = _called(study, data_sets, study["not_comparable"])
    return {
        validation: tuple(part.drop(index=unlike) for part in both)
        for validation, both in of_study(study, data_sets).items()
    }


def flagged(study, data_sets):
    """Our data sets (names) without which a study wants its verdicts a second time (its key `doubtful`)."""
    return tuple(_called(study, data_sets, study["doubtful"]))


def _called(study, data_sets, labels):
    """Our data sets (list of names) that the tables of a study call by one of `labels`."""
    return [name for name, label in names(study, data_sets).items() if label in labels]


def names(study, data_sets):
    """What the tables of a study call our data sets: dict, name -> printed name, "" for one that they do not have.

    In the printed order, others behind. Tables B.1 and B.2 have names of their own.
    """
    printed = datasets(study)
    if set(study["tables"].values()) <= set(CHAPTER_3.values()):
        found = {name: row.published_name for name, row in data_sets.items()}
    else:
        found = {name: row.abbreviation for name, row in data_sets.items()}
    order = [*printed, ""]
    known = {name: label if label in printed else "" for name, label in found.items()}
    return dict(sorted(known.items(), key=lambda pair: order.index(pair[1])))


def summary(table):
    """What table "T3_1" or "T3_5" prints: dict, validation -> frame of methods x (median, iqr, win_rate, rank)."""
    cells = _chapter_3(f"thesis_{table}")
    cells = cells.assign(metric=cells["metric"].map(METRICS))
    return {
        validation: part.pivot(index="method", columns="metric", values="value").loc[methods(table)]
        for validation, part in cells.groupby("validation")
    }


def net_wins(table):
    """What table "T3_2", "T3_3" or "T3_4" prints: dict, validation -> frames (row method x column method).

    Net wins of the row (int), and whether the cell is marked as significant (bool); methods in the printed order.
    """
    cells = _chapter_3(TABLES["thesis", table])
    cells = cells[cells["table"].str.startswith(table[1:].replace("_", "."))]  # 3.4a and 3.4b are the halves of 3.4
    return {
        validation: (
            _square(part, "wins_minus_losses_printed"),
            _square(part, "underlined_significant").astype(bool),
        )
        for validation, part in cells.groupby("validation")
    }


def mean_errors(document, table):
    """Test errors in percent, frame (data sets x methods), and the printed mean ranks, series (methods).

    Labels as printed. Tables "T4_4", "T4_6" and "T5_2" of the thesis, "T2" and "T4" of uai2016, "T1" of divbo2022.
    """
    cells = _table(document, table)
    methods = cells["method"].unique()
    ranks = cells[cells["metric"] == "avg_rank"].set_index("method")["value"]
    cells = cells[cells["metric"] == "test_error_pct"]
    return cells.pivot(index="dataset", columns="method", values="value")[methods], ranks[methods]


def p_values(document, table):
    """Printed p of Wilcoxon's test, frame (row method x column method), NaN on the diagonal; labels as printed.

    Tables "T4_3", "T4_5" and "T5_3" of the thesis, "T3" and "T5" of uai2016.
    """
    return _square(_table(document, table), "p_printed")


def worse_counts(claim):
    """On how many data sets the document calls methods significantly worse than the best: dict, method -> int.

    Labels as printed. claim: "T5.2-never-worse" of the file claims.
    """
    row = rows("claims").set_index("id").loc[claim]
    labels = [row["method_A"], *row["method_B"].split()]
    return dict(zip(labels, map(int, row["published_value"].split()), strict=True))


def win_frequencies(document):
    """What "esmbo_uai" or "esmbo_arxiv" prints: dict, space -> (frame, series).

    Frequencies with which the row method wins, and the expected rank of each method; labels as printed.
    """
    wins, ranks = rows("esmbo_win_frequency"), rows("esmbo_expected_rank")
    ranks = ranks[ranks["document"] == document].set_index(["space", "method"])["E_rank"]
    by_space = wins[wins["document"] == document].groupby("space", sort=False)
    return {space: (_square(part, "win_frequency"), ranks[space]) for space, part in by_space}


def _square(cells, value):
    """Frame (row method x column method) of one value, methods in the order of the rows."""
    methods = cells["method_row"].unique()
    return cells.pivot(index="method_row", columns="method_col", values=value).loc[methods, methods]


def methods(table):
    """Methods of table "T3_1" or "T3_5" in the printed order."""
    return list(_chapter_3(f"thesis_{table}")["method"].unique())


def in_order(printed, study):
    """The methods of `printed` that the study has, then the study's methods that no table of the thesis printed.

    So a method that somebody adds to the study stands below the published ones of every table.
    """
    known = {*methods("T3_1"), *methods("T3_5")}
    return [name for name in printed if name in study] + [name for name in study if name not in known]
