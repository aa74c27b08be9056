"""Tables of the mean (sd) test error of every method on every data set, ours above the published."""

import numpy as np
import pandas as pd

from bayes_hpo import published
from bayes_hpo.names import printed
from bayes_hpo.report import face
from bayes_hpo.report.table import Table, pair

PRINTED_REPETITIONS = 20
ROUNDING = 0.1**2 / 12  # variance of what one printed decimal leaves out


def errors_table(given, validation, place):
    """Table of data sets x methods in percent, one decimal, sd over repetitions with ddof 0 (thesis, appendix B).

    place: where the document prints the cells of this validation, such as "table B.1".
    """
    every = published.in_order(list(published.errors(validation)[0]), given.methods)
    methods = given.scored(every)
    found = given.cells(given.scores, methods, [validation])
    cells = found[validation]
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
        f"In each cell the mean (sd) over repetitions; publ.: printed in {place}, {PRINTED_REPETITIONS} repetitions.",
        *_fidelity(z_scores(cells)),
    ]
    return Table(text, _values(cells), notes)


def z_scores(cells):
    """Ours minus published over the standard error of both (data sets, methods), the print's rounding included.

    Near 1 in root mean square when the protocol is the document's; NaN where nothing is printed, or of one repetition.
    """
    ours = cells.sd.pow(2).div(cells.repetitions.where(cells.repetitions > 1) - 1, axis=0)  # sd has ddof 0
    theirs = cells.published_sd.pow(2) / (PRINTED_REPETITIONS - 1)
    return (cells.mean - cells.published_mean) / np.sqrt(ours + theirs + ROUNDING)


def _fidelity(z):
    """The sentence (list of one, or none) on the z scores of every method that was printed."""
    z = z.dropna(axis=1, how="all")
    if z.empty:
        return []
    told = [f"{printed(name)} {rms(own):.2f} (mean {own.mean():+.2f})" for name, own in z.items()]
    return [
        "Ours against the print: root mean square over data sets of z, the difference over its standard error "
        f"(repetitions of both, rounding of the print): {', '.join(told)}."
    ]


def rms(values):
    """Root mean square of what is not NaN."""
    return float(np.sqrt(np.nanmean(np.square(values))))


def _text(mean, sd):
    """Frame of "mean (sd)" texts, the shape of both."""
    return mean.combine(sd, lambda m, s: pd.Series([pair(*both, 1) for both in zip(m, s, strict=True)], index=m.index))


def _values(cells):
    """Tidy frame: a row per data set and method, errors in percent; difference is ours minus published."""
    parts = {
        "ours_mean": cells.mean,
        "ours_sd": cells.sd,
        "published_mean": cells.published_mean,
        "published_sd": cells.published_sd,
        "difference": cells.mean - cells.published_mean,
        "z": z_scores(cells),
    }
    tidy = pd.DataFrame({name: part.stack(future_stack=True) for name, part in parts.items()})
    tidy = tidy.rename_axis(["dataset", "method"]).reset_index()
    return tidy.assign(validation=cells.validation, repetitions=tidy["dataset"].map(cells.repetitions))
