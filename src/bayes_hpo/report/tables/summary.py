"""Tables of medians, win rates and ranks over data sets, ours and the document's, for hold-out and 5-fold."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.report import left_out
from bayes_hpo.report.comparison import Comparison, covered
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.beside import first_beside_print, recomputed
from bayes_hpo.report.tables.table import Table, number, pair
from bayes_hpo.stats.ranks import summary


def beside_recomputed(results: Results, *, table: str, place: str) -> Table:
    """Table of methods in the order of, for example, "T3_1", with values of its published cells on the same data sets.

    While some methods have no scores, the table, and the ranks of the published errors, include only those that have.
    place: where the document prints the cells.
    """
    every = published.in_order(published.methods(table), results.methods)
    compared, notes = covered(results, every)
    return recomputed(results, compared, summarized, place).table(_of_validation, notes)


def beside_print(results: Results, *, table: str) -> Table:
    """Table of our first repetitions, and a table such as "T3_5" as printed."""
    beside = first_beside_print(results, published.methods(table), published.summary(table))
    return beside.table(_of_validation, left_out.validations(VALIDATIONS, beside.compared))


def summarized(mean: pd.DataFrame) -> pd.DataFrame:
    """`summary` of mean errors (n_datasets, n_methods); empty if there are none."""
    return summary(mean) if mean.size else pd.DataFrame(columns=["median", "iqr", "win_rate", "rank"], dtype=float)


def _of_validation(compared: Comparison, other: pd.DataFrame, label: str) -> Table:
    """Table of one validation: methods x (median and interquartile range, win rate, rank) x (ours, published)."""
    ours = summary(compared.mean)
    other = other.reindex(index=ours.index, columns=ours.columns)
    texts = {"ours": _texts(ours), label: _texts(other)}
    cells = pd.concat(texts, axis=1).swaplevel(axis=1)[[(header, whose) for header in texts["ours"] for whose in texts]]
    values = pd.DataFrame({"ours": ours.stack(), "published": other.stack(future_stack=True)})
    values = values.rename_axis(["method", "metric"]).reset_index()
    values.insert(1, "validation", compared.validation)
    return Table(cells.rename(index=printed).rename_axis("method"), values, [])


def _texts(frame):
    """Texts (n_methods, 3) of a `summary`."""
    spread = [pair(*both, 2) for both in zip(frame["median"], frame["iqr"], strict=True)]
    others = {"Win rate": frame["win_rate"], "Rank": frame["rank"]}
    cells = {"Med (Q3-Q1)": spread} | {name: [number(value, 2) for value in part] for name, part in others.items()}
    return pd.DataFrame(cells, frame.index)
