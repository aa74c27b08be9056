"""Tables of net wins and p values of all pairs of methods, row against column, ours above the document's."""

import numpy as np
import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import Comparison, as_printed, covered
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.beside import first_beside_print, recomputed
from bayes_hpo.report.tables.table import NOTHING, Table, stacked
from bayes_hpo.stats.ranks import ranks
from bayes_hpo.stats.wilcoxon import LEVEL, exact_p_value, pairwise
from bayes_hpo.stats.win_loss import net_wins

FEW = 10  # largest number of data sets for which the file of net wins includes exact p
MARK = "*"
PAIR = ["method", "against"]
NET_WINS = (
    "Row against column: data sets on which the row's mean error is the lower minus those on which it is the higher; "
    f"{MARK}: p < .05 in Wilcoxon's signed-rank test over these data sets, not corrected for the number of pairs."
)
ORDER = "Order of the print: by mean rank over its 118 data sets, worst first."
P_VALUES = (
    "p of Wilcoxon's signed-rank test over the mean errors of the data sets (zeros dropped, normal approximation, no "
    "continuity correction), not corrected for the number of pairs; *: p <= .05 (with few data sets exact p, which the "
    "file has too, may be above); in parentheses where the row has the higher mean rank."
)


def pairs(errors: pd.DataFrame) -> pd.DataFrame:
    """All ordered pairs of methods, including each method with itself: frame, index (method, against).

    net: data sets on which the row's error is the lower minus those on which it is the higher.
    p: of Wilcoxon's test; NaN for a method with itself.
    significant: whether p < .05.
    worse: whether the row has the higher mean rank.
    errors: frame (n_datasets, n_methods), any unit.
    Source: thesis, tables 3.2 to 3.4, 4.3, 4.5 and 5.3.
    """
    p, rank = pairwise(errors), ranks(errors).mean()
    worse = pd.DataFrame(np.greater.outer(rank.to_numpy(), rank.to_numpy()), rank.index, rank.index)
    return stacked(PAIR, net=net_wins(errors), p=p, significant=p < LEVEL, worse=worse)


def net_wins_recomputed(results: Results, *, table: str, validation: str, place: str) -> Table:
    """Net wins in the order of a table such as "T3_2", and those of its published cells on the same data sets.

    While some methods have no scores, the table contains those that have.
    place: where the document prints the cells, such as "table B.1".
    """
    every = published.in_order(list(published.net_wins(table)[validation][0].index), results.methods)
    compared, absent = covered(results, every, [validation])
    return recomputed(results, compared, pairs, place).table(_net_wins, [NET_WINS, ORDER, *absent])


def net_wins_printed(results: Results, *, table: str, note: str) -> Table:
    """Net wins of our first repetitions, and a table such as "T3_4" as printed. note: sentence on its marks."""
    wins = published.net_wins(table)
    values = {name: stacked(PAIR, net=net, p=net * np.nan, significant=marks) for name, (net, marks) in wins.items()}
    return first_beside_print(results, list(wins["holdout"][0].index), values).table(_net_wins, [NET_WINS, note])


def p_value_table(
    results: Results, *, document: str, table: str, validation: str, note: str, methods: list[str] | None = None
) -> Table:
    """p values of a study's methods under printed names; the file adds those printed in a table such as "T5_3".

    note: sentence on the document's rows.
    methods: methods to compare, None for all of the study.
    """
    compared, notes = as_printed(results, validation, methods)
    both = {whose: pairs(errors).dropna(subset="p") for whose, errors in compared.both.items()}
    printed_p = published.p_values(document, table).rename_axis(index="method", columns="against").stack().dropna()
    values = both["ours"][["p", "worse"]].set_axis(["p_ours", "ours_ranks_worse"], axis=1)
    published_p = both["publ."]["p"] if "publ." in both else np.nan
    values = values.assign(
        p_exact_ours=_exact(compared.mean), p_published=published_p, p_printed=printed_p
    ).reset_index()
    values = values.assign(data_sets=len(compared.mean), published_data_sets=len(compared.published))
    beside = [note] if compared.published.size else []
    return Table(_square(list(compared.mean), both, _p_text), values, [*notes, P_VALUES, *beside])


def _net_wins(compared: Comparison, other: pd.DataFrame, label: str) -> Table:
    """The Table of one validation: methods (ours above the published) x methods."""
    ours = pairs(compared.mean)
    other = other.reindex(ours.index)
    values = pd.DataFrame(
        {
            "validation": compared.validation,
            "ours": ours["net"],
            "published": other["net"],
            "p_ours": ours["p"],
            "p_exact_ours": _exact(compared.mean) if len(compared.mean) <= FEW else np.nan,
            "p_published": other["p"],
            "significant": ours["significant"],
            "published_significant": other["significant"].astype("boolean"),
        }
    ).reset_index()
    values = values[values["method"] != values["against"]]
    cells = _square(list(compared.mean), {"ours": ours, label: other}, _net_text)
    return Table(cells, values, _agreement(values, label))


def _exact(errors):
    """Exact p of Wilcoxon's test for every ordered pair: series, index as in `pairs`."""
    return stacked(PAIR, p=pairwise(errors, exact_p_value))["p"]


def _square(methods, both, text):
    """Frame of texts: numbered methods x their numbers.

    both: dict, ours or publ. -> frame of `pairs`. text: function, one of its rows -> text.
    """
    rows = {
        (f"({number}) {printed(method)}", whose): [
            text(frame.loc[method, against]) if (method, against) in frame.index else NOTHING for against in methods
        ]
        for number, method in enumerate(methods, start=1)
        for whose, frame in both.items()
    }
    cells = pd.DataFrame.from_dict(rows, orient="index", columns=[str(i + 1) for i in range(len(methods))])
    return cells.set_axis(pd.MultiIndex.from_tuples(rows, names=["method", ""]))


def _net_text(pair):
    """Net wins such as +36*; the mark survives LaTeX and plain text."""
    if pd.isna(pair["net"]):
        return NOTHING
    text = f"{pair['net']:+.0f}" if pair["net"] else "0"
    return text + (MARK if pair["significant"] else "")


def _p_text(pair):
    """A p such as (0.02)*."""
    text = f"({pair['p']:.2f})" if pair["worse"] else f"{pair['p']:.2f}"
    return text + (MARK if pair["p"] <= LEVEL else "")


def _agreement(values, label):
    """The sentence (list) on equal signs and marks in one validation, each pair that both sides have counted once."""
    order = {name: position for position, name in enumerate(values["method"].unique())}
    once = values[values["method"].map(order) < values["against"].map(order)].dropna(subset="published")
    if once.empty:
        return []
    same, of_pairs = (np.sign(once["ours"]) == np.sign(once["published"])).sum(), caption.counted(len(once), "pair")
    ours, others = once["significant"], once["published_significant"]
    return [
        f"{VALIDATIONS[values['validation'].iloc[0]].capitalize()}: of {of_pairs} {same} have the same sign; "
        f"marked are {ours.sum()} in ours, {others.sum()} in {label} and {(ours & others).sum()} in both."
    ]
