"""Tables of Wilcoxon's p between methods over data sets, row against column, ours above the document's."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report.tables.table import NOTHING, Table
from bayes_hpo.stats.ranks import ranks
from bayes_hpo.stats.wilcoxon import LEVEL, exact_p_value, pairwise

READING = (
    "p of Wilcoxon's signed-rank test over the mean errors of the data sets (zeros dropped, normal approximation, no "
    "continuity correction), not corrected for the number of pairs; *: p <= .05 (with few data sets exact p, which the "
    "file has too, may be above); in parentheses where the row has the higher mean rank."
)


def p_value_table(found, *, document, table, theirs):
    """Table of methods, ours above theirs, x methods, numbered in their order.

    found: Comparison. document, table: where p is printed, such as "thesis", "T5_3"; the file holds it beside what is
    recomputed. theirs: the sentence on the document's rows.
    """
    methods = list(found.mean)
    pairs = {whose: p_values(mean) for whose, mean in found.both.items()}
    rows = {
        (f"({number}) {method}", whose): [_cell(pairs[whose], method, against) for against in methods]
        for number, method in enumerate(methods, start=1)
        for whose in pairs
    }
    text = pd.DataFrame.from_dict(rows, orient="index", columns=[str(i + 1) for i in range(len(methods))])
    told = [theirs] if found.published.size else []
    text = text.set_axis(pd.MultiIndex.from_tuples(rows, names=["method", ""]))
    return Table(text, _values(found, pairs, published.p_values(document, table)), [*found.notes, READING, *told])


def p_values(mean):
    """Every ordered pair of methods: frame, index (method, against), columns p and worse (the row's mean rank).

    mean: frame (n_datasets, n_methods) of mean errors in percent. Source: thesis, tables 4.3, 4.5 and 5.3.
    """
    rank = ranks(mean).mean()
    found = pd.DataFrame({"p": pairwise(mean).rename_axis(index="method", columns="against").stack().dropna()})
    return found.assign(worse=[rank[method] > rank[against] for method, against in found.index])


def _cell(pairs, method, against):
    """The p of one pair as text, such as (0.02)*; NOTHING for a method against itself or without cells."""
    if (method, against) not in pairs.index:
        return NOTHING
    p, worse = pairs.loc[(method, against)]
    return (f"({p:.2f})" if worse else f"{p:.2f}") + ("*" if p <= LEVEL else "")


def _values(found, pairs, printed):
    """Tidy frame: a row per ordered pair of different methods."""
    exact = pairwise(found.mean, exact_p_value).rename_axis(index="method", columns="against").stack().dropna()
    theirs = printed.rename_axis(index="method", columns="against").stack().dropna()
    tidy = pairs["ours"].rename(columns={"p": "p_ours", "worse": "ours_ranks_worse"})
    recomputed = pairs.get("publ.", pd.DataFrame({"p": []}))["p"]
    tidy = tidy.assign(p_exact_ours=exact, p_published=recomputed, p_printed=theirs)
    return tidy.reset_index().assign(data_sets=len(found.mean), published_data_sets=len(found.published))
