"""Win frequencies of all pairs of methods in several spaces, ours above the published (Lacoste et al. 2014, 6.3)."""

from collections.abc import Iterable

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import compare
from bayes_hpo.report.paired import PAIR, Paired, absent, in_order
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table, number

RANK = "E[rank]"
SUBSTITUTES = "The document does not list its data sets; ours are named substitutes (docs/decisions.md, ESMBO)"


def frequency_table(
    *studies: Results,
    methods: list[str],
    document: str,
    spaces: dict[str, str],
    validation: str,
    chance: str,
    levels: dict[str, list[float]],
) -> Table:
    """Table of methods (ours above the published) x methods and expected rank, space after space.

    studies: one per space with scores.
    spaces: study -> name of the space in the document, in printed order.
    chance: as in `Paired.of`.
    levels: of the marks: `poisson_binomial` -> probabilities and `sign` -> values of p, the weakest first.
    """
    cells, values, notes, in_print = [], [], absent(studies, spaces), published.win_frequencies(document)
    for space, results in in_order(studies, spaces):
        label = results.printed.method
        end = Paired.of(results, methods, validation, chance).at_the_end
        notes += [f"{space}: {note}" for note in caption.coverage(compare(results, methods, [validation], end.scores))]
        ours, rank = _over_repetitions(end.pairs()), end.ranks().mean()
        printed, printed_rank = (of.reindex(map(label, methods)) for of in in_print[space])
        printed = printed.reindex(columns=printed.index)  # not all our methods are printed
        for name in rank.sort_values().index:
            texts = {label(other): _text(ours, name, other, levels) for other in methods}
            cells.append({"space": space, "method": label(name), "": "ours"} | texts | {RANK: number(rank[name], 2)})
            texts = {label(other): number(printed.loc[label(name), label(other)], 2) for other in methods}
            printed_row = {"space": space, "method": label(name), "": "publ."} | texts
            cells.append(printed_row | {RANK: number(printed_rank[label(name)], 2)})
        tidy = ours.reset_index()
        tidy = tidy.assign(**{column: tidy[column].map(label) for column in PAIR})
        ranks = {"rank": tidy["method"].map(rank.rename(label)), "rank_published": tidy["method"].map(printed_rank)}
        frequencies = printed.stack().rename_axis(PAIR).rename("frequency_published")
        values.append(tidy.join(frequencies, on=PAIR).assign(space=space, **ranks))
    frame = pd.DataFrame(cells).set_index(["space", "method", ""])
    return Table(frame, pd.concat(values, ignore_index=True), [*notes, *_reading(levels), substitutes(studies)])


def _over_repetitions(pairs):
    """Means over repetitions for each pair, with the standard deviation of `frequency` over them (D3)."""
    by_repetition = pairs.groupby([*PAIR, "repetition"]).mean(numeric_only=True).drop(columns="iteration")
    frequencies = by_repetition["frequency"].groupby(PAIR)
    return by_repetition.groupby(PAIR).mean().assign(frequency_sd=frequencies.std(), repetitions=frequencies.size())


def substitutes(studies: Iterable[Results]) -> str:
    """The sentence on the data sets, and on the largest number of rows used of them."""
    caps = sorted({results.most_rows for results in studies})
    return f"{SUBSTITUTES}, of at most {', '.join(f'{cap:,}' for cap in caps)} rows."


def marks_table(results: Results, *, levels: dict[str, list[float]], names: list[str]) -> Table:
    """The marks of `frequency_table`, a row per level. names: names of the levels, the weakest first."""
    rows = [
        {"level": name, "Poisson binomial test": f"{'+' * count}: > {high:g}", "sign test": f"{'*' * count}: p < {p:g}"}
        for count, (name, high, p) in enumerate(
            zip(names, levels["poisson_binomial"], levels["sign"], strict=True), start=1
        )
    ]
    values = pd.DataFrame(rows)
    return Table(
        values.set_index("level"), values, ["Our marks; the document's circles cannot all be told apart in its copies."]
    )


def _text(ours, method, other, levels):
    """Frequency such as 0.82++* (3), with the marks of both tests and the percentage of ties."""
    if method == other:
        return NOTHING
    row = ours.loc[(method, other)]
    surest = min(row["probability"], row["probability_tasks"])  # a mark needs both forms of the test (D5)
    high = sum(surest > level for level in levels["poisson_binomial"])
    low = sum(row["sign_p"] < level for level in levels["sign"])
    ties = f" ({100 * row['ties']:.0f})" if row["ties"] else ""
    return f"{row['frequency']:.2f}{'+' * high}{'*' * low}{ties}"


def _reading(levels):
    high, low = (", ".join(f"{level:g}" for level in levels[name]) for name in ("poisson_binomial", "sign"))
    return [
        "Row against column: share of the data sets on which the row has the lower test loss, ties half, averaged over "
        "the last tenth of the trials and over repetitions that have all data sets; in parentheses the percentage of "
        f"ties, where there are any. +, ++, ...: probability above {high} that the row is better on most data sets "
        f"(Poisson binomial test, in both of its forms, D5); *, **, ...: p below {low} in the one-sided sign test "
        "without ties.",
        "E[rank]: expected rank among these methods, 1 is best.",
    ]
