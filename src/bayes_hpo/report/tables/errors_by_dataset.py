"""Tables of the mean (sd) test error of every method on every data set, ours above the published."""

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.names import printed
from bayes_hpo.report import face, fidelity
from bayes_hpo.report.tables.table import Table, pair


def errors_table(given, validation, place):
    """Table of data sets x methods in percent, one decimal, sd over repetitions with ddof 0 (thesis, appendix B).

    place: where the document prints the cells of this validation, such as "table B.1".
    """
    every = published.in_order(list(published.errors(validation)[0]), given.methods)
    methods = given.scored(every)
    found = given.cells(given.scores, methods, [validation])
    cells, precision = found[validation], published.PRECISION["thesis", published.CHAPTER_3[validation]]
    rows = {
        "ours": _text(cells.mean, cells.sd),
        "publ.": _text(cells.published_mean, cells.published_sd),
    }
    text = pd.concat(rows, names=["", "data set"]).swaplevel().loc[list(cells.mean.index)]
    text.columns = [printed(name) for name in text.columns]
    notes = [
        *face.coverage(found),
        *face.copies(found, given.copies),
        *given.absent(every, methods),
        f"In each cell the mean (sd) over repetitions; publ.: printed in {place}, {precision.repetitions} repetitions.",
        *fidelity.sentences(cells, precision, printed),
    ]
    return Table(text, _values(cells, precision), notes)


def plain_errors_table(given, validation):
    """Table of data sets x methods that no document prints: mean (sd) over repetitions in the unit of the task."""
    methods = given.scored(list(given.methods))
    found = given.cells(given.scores, methods, [validation])
    cells = found[validation]
    text = _text(cells.mean, cells.sd).rename(columns=given.label)
    text.index = pd.Index(cells.mean.index, name="data set")
    values = pd.DataFrame({"mean": cells.mean.stack(), "sd": cells.sd.stack()})
    values = values.rename_axis(["dataset", "method"]).reset_index().assign(unit=given.unit.name)
    said = f"In each cell the mean (sd) over repetitions, in {given.unit.name}."
    return Table(text, values, [*face.coverage(found), *given.absent(given.methods, methods), said])


def _text(mean, sd):
    """Frame of "mean (sd)" texts, the shape of both."""
    return mean.combine(sd, lambda m, s: pd.Series([pair(*both, 1) for both in zip(m, s, strict=True)], index=m.index))


def _values(cells, precision):
    """Tidy frame: a row per data set and method, errors in percent; difference is ours minus published."""
    parts = {
        "ours_mean": cells.mean,
        "ours_sd": cells.sd,
        "published_mean": cells.published_mean,
        "published_sd": cells.published_sd,
        "difference": cells.mean - cells.published_mean,
        "z": fidelity.z_scores(cells, precision),
    }
    tidy = pd.DataFrame({name: part.stack(future_stack=True) for name, part in parts.items()})
    tidy = tidy.rename_axis(["dataset", "method"]).reset_index()
    return tidy.assign(validation=cells.validation, repetitions=tidy["dataset"].map(cells.repetitions))
