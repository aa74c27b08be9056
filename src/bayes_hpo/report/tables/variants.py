"""Win frequencies of variants that no document prints against the methods that a document compares."""

from collections.abc import Iterable

import pandas as pd

from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report.comparison import shared
from bayes_hpo.report.paired import last_tenth
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table
from bayes_hpo.report.tables.win_frequencies import substitutes
from bayes_hpo.stats.win_frequency import tie_shares, win_frequencies

KEYS = ["dataset", "repetition", "iteration"]
READING = (
    "Row against column: share of the searches in which the row has the lower test loss, ties half, averaged over the "
    "last tenth of the trials (over the last one, where a method is scored there alone); in brackets the numbers of "
    "data sets and of searches."
)


def variants_table(
    *studies: Results, variants: dict[str, list[str]], against: list[str], validation: str, notes: dict[str, str]
) -> Table:
    """Table of the variants of each study x the methods that they are compared with.

    studies: studies with scores.
    variants: study -> methods.
    against: methods to compare with; a study may lack some.
    notes: study -> sentence on its variants, shown if it has scores.
    Raises: MissingResultsError when no variant has scores.
    """
    every = [
        {"study": results.study, "method": results.printed.method(name), "against": results.printed.method(rival)}
        | _wins(results, validation, [name, rival])
        for results in studies
        for name in variants[results.study]
        for rival in against
    ]
    values = pd.DataFrame(every)
    if (values := values[values["searches"] > 0]).empty:
        raise MissingResultsError(f"no variant of {', '.join(variants)} has scores; make those of its study first")
    texts = values.assign(text=[_text(row) for row in values.itertuples()])
    cells = texts.pivot(index=["study", "method"], columns="against", values="text").fillna(NOTHING)
    order = values.drop_duplicates(["study", "method"]).set_index(["study", "method"]).index
    shown = [notes[name] for name in notes if name in set(values["study"])]
    left_out = _absent(studies, variants, set(order))
    return Table(
        cells.reindex(order)[values["against"].unique()], values, [READING, *shown, *left_out, substitutes(studies)]
    )


def _absent(studies: Iterable[Results], variants: dict[str, list[str]], shown: set) -> list[str]:
    """The sentence (list) on the variants without scores. shown: pairs (study, printed name of a method)."""
    label = {results.study: results.printed.method for results in studies}
    every = [(study, label[study](name) if study in label else name) for study in variants for name in variants[study]]
    missing = [f"{study} ({name})" for study, name in every if (study, name) not in shown]
    return [f"Left out, no scores: {', '.join(missing)}."] if missing else []


def _wins(results: Results, validation: str, pair: list[str]) -> dict:
    """Win frequency and ties of the first method of a pair, and numbers of data sets and searches, 0 without scores."""
    rows = shared(results.scores, validation, pair)
    if rows.empty:
        return {"data_sets": 0, "searches": 0}
    errors = last_tenth(rows).pivot(index=KEYS, columns="method", values="test_error").dropna()
    searches = errors.index.droplevel("iteration").unique()
    return {
        "frequency": win_frequencies(errors).loc[tuple(pair)],
        "ties": tie_shares(errors).loc[tuple(pair)],
        "data_sets": searches.get_level_values("dataset").nunique(),
        "searches": len(searches),
    }


def _text(row) -> str:
    return f"{row.frequency:.2f} ({row.data_sets}, {row.searches})"
