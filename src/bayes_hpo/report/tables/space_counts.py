"""Numbers of hyperparameters per algorithm or operator, ours and the printed ones: Shen et al. 2022, tables 6 and 7."""

import re

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import Table

KINDS = ("categorical", "continuous")
COUNTS = ["total", *(name for kind in KINDS for name in (kind, f"conditional_{kind}"))]
PRINTED = re.compile(r"(?P<all>\d+|-)(?: \((?P<conditional>\d+|-)\))?")  # such as 2 (1), 2 (-) or -
READING = (
    "In each cell the number, of which conditional ones in parentheses: active for some values of another "
    "hyperparameter only; *: differs. Whole numbers are continuous."
)


def counts_table(
    results: Results, *, measure: str, document: str, place: str, choices: dict[str, str], notes: list[str]
) -> Table:
    """Table of algorithms or operators x numbers of all, categorical and continuous hyperparameters, ours and printed.

    measure: measure with the counts of our space (`measures.hyperparameter_counts`).
    place: table of the document, such as "6".
    choices: dict, printed name -> our choice.
    """
    ours = results.measure(measure).set_index("choice").loc[list(choices.values()), COUNTS].set_axis(list(choices))
    printed = printed_counts(document, place).loc[list(choices)]
    differs = ours != printed
    cells = pd.DataFrame(
        {
            (kind, whose): [_text(row, kind) for _, row in frame.iterrows()]
            for kind in ("total", *KINDS)
            for whose, frame in {"ours": ours, "publ.": printed}.items()
        },
        index=pd.Index(choices, name="name"),
    )
    for kind in ("total", *KINDS):
        marked = differs[[name for name in COUNTS if name.endswith(kind)]].any(axis=1)
        cells[kind, "ours"] += marked.map({True: "*", False: ""})
    values = ours.join(printed.add_suffix("_published")).rename_axis("name").reset_index()
    values.insert(1, "choice", list(choices.values()))
    sums = f"Sum: {ours['total'].sum()} in ours, {printed['total'].sum()} printed."
    return Table(cells, values, [READING, sums, *notes])


def printed_counts(document: str, place: str) -> pd.DataFrame:
    """The numbers in a table of the document: frame, printed name x COUNTS."""
    rows = published.rows("search_spaces").query("document == @document and table_or_section == @place")
    texts = rows.set_index("learner")[["hyperparameter", "low_or_values", "high"]]
    values = texts.apply(lambda column: column.str.rpartition("=")[2])
    return pd.DataFrame.from_dict({name: _numbers(*row) for name, row in values.iterrows()}, orient="index")


def _numbers(total: str, *of_kinds: str) -> dict[str, int]:
    """The numbers in one printed row: dict by COUNTS; a dash is zero."""
    counts = {"total": int(total)}
    for kind, text in zip(KINDS, of_kinds, strict=True):
        found = PRINTED.fullmatch(text)
        if found is None:
            raise ValueError(f"{text} is not of the form 2 (1)")
        numbers = {name: int(value) if value and value != "-" else 0 for name, value in found.groupdict().items()}
        counts |= {kind: numbers["all"], f"conditional_{kind}": numbers["conditional"]}
    return counts


def _text(row: pd.Series, kind: str) -> str:
    """A number, followed by that of conditional ones if there are any."""
    conditional = row.get(f"conditional_{kind}", 0)
    return f"{row[kind]} ({conditional})" if conditional else f"{row[kind]}"
