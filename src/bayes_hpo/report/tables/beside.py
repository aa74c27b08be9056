"""Tables of our values and the published ones, a group of columns per validation: tables 3.1 to 3.5 of the thesis."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pandas as pd

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.documents.published import in_order
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import Comparison, compare
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table

FIRST = 10  # repetitions of tables 3.4 and 3.5 (D19)
PRINTED_SETS = 118


@dataclass(frozen=True)
class Beside:
    """Our errors and the published values of a table; dicts by validation.

    label: header of the published rows.
    compared: our Comparisons.
    published: frames of the published values.
    data_sets: numbers of data sets behind the published values.
    notes: sentences on the published values.
    """

    label: str
    compared: dict[str, Comparison]
    published: dict[str, pd.DataFrame]
    data_sets: dict[str, int]
    notes: list[str]

    def table(self, of_validation: Callable[[Comparison, pd.DataFrame, str], Table], notes: Iterable[str]) -> Table:
        """The Table of all validations side by side, with the numbers of data sets and repetitions.

        of_validation: function, (our Comparison, the published values, their label) -> Table.
        """
        tables, values = {}, []
        for name, part in self.compared.items():
            tables[VALIDATIONS[name]] = table = of_validation(part, self.published[name], self.label)
            sizes = {"data_sets": len(part.mean), "published_data_sets": self.data_sets[name]}
            sizes |= {"repetitions_least": part.repetitions.min(), "repetitions_most": part.repetitions.max()}
            values.append(table.values.assign(**sizes))
        of_each = [note for table in tables.values() for note in table.notes]
        return Table(
            pd.concat({label: table.cells for label, table in tables.items()}, axis=1).fillna(NOTHING),
            pd.concat(values, ignore_index=True),
            [*caption.coverage(self.compared), *notes, *self.notes, *of_each],
        )


def recomputed(
    results: Results,
    compared: dict[str, Comparison],
    statistic: Callable[[pd.DataFrame], pd.DataFrame],
    place: str,
) -> Beside:
    """Ours, and the statistic of the published mean errors (n_datasets, n_methods) on the same data sets.

    compared: our Comparisons by validation.
    place: where the document prints the cells, such as "table B.1".
    """
    compared = {name: of_one.as_published() for name, of_one in compared.items()}
    return Beside(
        label="publ.",
        compared=compared,
        published={name: statistic(part.published) for name, part in compared.items()},
        data_sets={name: len(part.published) for name, part in compared.items()},
        notes=[
            *caption.copies(compared, results.copies),
            f"publ.: recomputed on the same data sets from the cells of {place} (one decimal).",
        ],
    )


def first_beside_print(results: Results, methods: list[str], printed: dict[str, pd.DataFrame]) -> Beside:
    """Our first repetitions, and printed values (dict by validation) for which no errors per data set are known."""
    first = results.scores.query("repetition < @FIRST")
    compared = compare(results, in_order(methods, results.methods), scores=first)
    return Beside(
        label="print",
        compared=compared,
        published=printed,
        data_sets=dict.fromkeys(compared, PRINTED_SETS),
        notes=[
            f"print: as printed, over {PRINTED_SETS} data sets and {FIRST} repetitions and not over ours, "
            "because errors per data set were not published.",
            f"Ours: the first {FIRST} repetitions at most.",
            *(
                f"The print has {VALIDATIONS[name]} too; no data set of ours has scores of all {len(methods)} methods."
                for name in printed
                if name not in compared
            ),
        ],
    )
