"""What chapter 3's tables hold ours against: published cells of the same data sets, or a print whose cells are lost."""

from dataclasses import dataclass

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report.comparison import beside_published, compare

FIRST = 10  # repetitions of tables 3.4 and 3.5 (D19)
PRINTED_SETS = 118


@dataclass(frozen=True)
class Reference:
    """label: how its rows are headed. values, data_sets: dicts, validation -> its values, and on how many they rest.

    notes: sentences on them.
    """

    label: str
    values: dict
    data_sets: dict
    notes: tuple


def recomputed(results, methods, statistic, place, validations=tuple(VALIDATIONS)):
    """(our comparisons, the Reference) of the same data sets, of which statistic(mean errors) is held beside ours.

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
    """(comparisons of our first repetitions, the Reference) beside a print of which no errors per data set are known.

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
