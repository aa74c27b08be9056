"""The published side of chapter 3's tables: recomputed from the cells of the same data sets, or as printed."""

from dataclasses import dataclass

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report.comparison import beside_published, compare

FIRST = 10  # repetitions of tables 3.4 and 3.5 (D19)
PRINTED_SETS = 118


@dataclass(frozen=True)
class Reference:
    """The published values that stand beside ours.

    label: header of their rows.
    values: dict, validation -> frame.
    data_sets: dict, validation -> number of data sets behind them.
    notes: sentences on them.
    """

    label: str
    values: dict[str, pd.DataFrame]
    data_sets: dict[str, int]
    notes: tuple[str, ...]


def recomputed(results, methods, statistic, place, validations=tuple(VALIDATIONS)):
    """(our comparisons, the Reference): statistic(mean errors) of the published cells of the same data sets.

    place: where the document prints the cells, such as "table B.1".
    """
    compared = beside_published(results, methods, validations)
    return compared, Reference(
        "publ.",
        {name: statistic(part.published) for name, part in compared.items()},
        {name: len(part.published) for name, part in compared.items()},
        (f"publ.: recomputed on the same data sets from the cells of {place} (one decimal).",),
    )


def printed(results, methods, values):
    """(comparisons of our first repetitions, the Reference): printed values without known errors per data set.

    values: dict, validation -> what is printed. methods: the table's, in its order.
    """
    first = results.scores.query("repetition < @FIRST")
    compared = compare(results, published.in_order(methods, results.methods), scores=first)
    notes = (
        f"print: as printed, over {PRINTED_SETS} data sets and {FIRST} repetitions and not over ours, "
        "because errors per data set were not published.",
        f"Ours: the first {FIRST} repetitions at most.",
    )
    return compared, Reference("print", values, dict.fromkeys(compared, PRINTED_SETS), notes)


def counted(values, compared, beside):
    """The values of one validation (tidy frame) with how many data sets and repetitions they rest on."""
    return values.assign(
        data_sets=len(compared.mean),
        published_data_sets=beside.data_sets[compared.validation],
        repetitions_least=compared.repetitions.min(),
        repetitions_most=compared.repetitions.max(),
    )
