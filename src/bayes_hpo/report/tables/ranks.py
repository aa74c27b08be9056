"""Tables of the mean error of every method on every data set with the mean ranks, ours above the document's."""

import pandas as pd

from bayes_hpo.report import fidelity
from bayes_hpo.report.tables.table import NOTHING, Table, number
from bayes_hpo.stats.ranks import comparable, ranks
from bayes_hpo.stats.wilcoxon import LEVEL, against_best, exact_p_value

RANK, SURE, WORSE = "rank", "rank'", "worse"
READING = (
    "[ ]: the lowest mean error on the data set; *: worse than that of this method, p < .05 in Wilcoxon's signed-rank "
    "test over the repetitions, not corrected; worse: on how many data sets. rank: mean over data sets, ties averaged"
)
NAMES = "Data sets have the document's names (docs/data.md)."


def rank_table(found, *, precision, doubtful, printed_worse, theirs):
    """Table of methods, ours above theirs, x data sets, the mean rank with and without the doubtful ones, and counts.

    found: Comparison. precision: published.Precision of the document's errors. doubtful: printed names of data sets,
    there or not. printed_worse: dict, method -> on how many data sets the document calls it significantly worse than
    the best. theirs: the sentence on the document's rows.
    """
    doubtful = _in_doubt(found, doubtful)
    p = pd.DataFrame({name: against_best(rows) for name, rows in found.runs.groupby(level=0, sort=False)}).T
    marked = {"ours": p < LEVEL, "publ.": found.published.notna() & False}
    counts = {"ours": marked["ours"].sum(), "publ.": pd.Series(printed_worse, dtype=float)}
    text = {}
    for whose, mean in found.both.items():
        block = _text(mean, marked[whose])
        for name, part in _ranked(mean, doubtful).items():
            block[name] = [number(value, 2) for value in part]
        block[WORSE] = [number(value, 0) for value in counts[whose].reindex(block.index)]
        text[whose] = block
    cells = pd.concat(text, names=["", "method"]).swaplevel().reindex(list(found.mean), level="method").fillna(NOTHING)
    told = [theirs] if found.published.size else []
    told += fidelity.sentences(found.cells, precision, str, doubtful)
    sure = f"; {SURE}: without {', '.join(doubtful)}, in doubt" if doubtful else ""
    return Table(cells, _values(found, p, doubtful, precision), [*found.notes, f"{READING}{sure}. {NAMES}", *told])


def _in_doubt(found, doubtful):
    """Those of the doubtful data sets that are compared; none (empty list) when no other one is."""
    there = [name for name in doubtful if name in found.mean.index]
    return there if len(there) < len(found.mean) else []


def _text(mean, marked):
    """Frame (n_methods, n_datasets) of texts: two decimals, the lowest of each data set and those marked told apart."""
    lowest = comparable(mean) == comparable(mean).min(axis=1, keepdims=True)
    text = mean.map("{:.2f}".format).where(~lowest, mean.map("[{:.2f}]".format))
    return text.where(~marked, text + "*").T


def _ranked(mean, doubtful):
    """Mean rank of each method: dict, RANK over all data sets and, if any are doubtful, SURE over the rest; series."""
    sure = {SURE: mean.drop(index=doubtful)} if doubtful else {}
    return {name: ranks(part).mean() for name, part in ({RANK: mean} | sure).items()}


def _values(found, p, doubtful, precision):
    """Tidy frame: a row per data set and method, errors in percent, and rows of their mean ranks over data sets.

    z: see `fidelity.z_scores`.
    """
    exact = {name: against_best(rows, exact_p_value) for name, rows in found.runs.groupby(level=0, sort=False)}
    parts = {
        "ours": found.mean,
        "ours_sd": found.cells.sd,
        "published": found.published.reindex_like(found.mean),
        "z": fidelity.z_scores(found.cells, precision),
        "p_against_best": p,
        "p_exact": pd.DataFrame(exact).T,
    }
    errors = pd.DataFrame({name: part.stack(future_stack=True) for name, part in parts.items()})
    errors = errors.rename_axis(["dataset", "method"]).reset_index().assign(metric="test_error_pct")
    ours, theirs = (_ranked(part, doubtful) if part.size else {} for part in (found.mean, found.published))
    rows = [
        pd.DataFrame({"ours": ours[name], "published": theirs.get(name)}).assign(dataset=where, metric="avg_rank")
        for name, where in ((RANK, "all"), (SURE, "all without doubt"))
        if name in ours
    ]
    return pd.concat([errors, *(part.rename_axis("method").reset_index() for part in rows)], ignore_index=True)
