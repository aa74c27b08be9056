"""The methods of a study on the same data sets and repetitions, named and ordered as the document prints them."""

from dataclasses import dataclass

import pandas as pd

from bayes_hpo.report import face
from bayes_hpo.report.cells import PERCENT, shared


@dataclass(frozen=True)
class Comparison:
    """mean, sd: over repetitions, frames (n_datasets, n_methods) in percent; published: the document's means of these.

    Methods and data sets have their printed names, others of ours follow. published lacks what was not printed, and is
    empty when nothing was. runs: errors in percent, index (data set, repetition), one column per method. notes:
    sentences on what it rests on and what is absent.
    """

    mean: pd.DataFrame
    sd: pd.DataFrame
    published: pd.DataFrame
    runs: pd.DataFrame
    notes: tuple

    @property
    def both(self):
        """Mean errors to compare, dict: ours, and the published ones when there are any."""
        return {"ours": self.mean} | ({"publ.": self.published} if self.published.size else {})


def comparison(given, validation):
    """The Comparison of all methods of a study that have scores under one validation.

    Data sets of which the document has no cells are left out, unless it has none of any. Raises: Fault without scores.
    """
    methods = given.scored(list(given.methods))
    found = given.cells(given.scores, methods, [validation])
    part = found[validation].as_published()
    names = {name: label or name for name, label in given.published_names.items() if name in part.mean.index}
    runs = shared(given.scores, validation, methods).query("final")
    runs = PERCENT * runs.pivot(index=["dataset", "repetition"], columns="method", values="test_error")
    labels = {name: given.label(name) for name in methods}

    def named(frame):
        return frame.loc[[name for name in names if name in frame.index]].rename(index=names, columns=labels)

    every = [given.label(name) for name in given.methods]
    said = [
        *face.coverage({validation: part}),
        *face.copies({validation: part}, given.copies),
        *face.absent(every, list(labels.values())),
    ]
    return Comparison(
        mean=named(part.mean),
        sd=named(part.sd),
        published=named(part.published),
        runs=named(runs[methods]),
        notes=tuple(said),
    )
