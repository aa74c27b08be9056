"""The methods of a study on the same data sets and repetitions, named and ordered as the document prints them."""

from dataclasses import dataclass, replace

import pandas as pd

from bayes_hpo.report import face
from bayes_hpo.report.cells import PERCENT, Cells, shared

VALIDATION = "kfold"  # chapter 5's only one (thesis, 5.5)


@dataclass(frozen=True)
class Comparison:
    """cells: ours and the document's. Methods and data sets have their printed names, others of ours follow.

    scores: rows of these methods on these data sets in the repetitions that all methods have finished. notes: sentences
    on what it rests on and what is absent.
    """

    cells: Cells
    scores: pd.DataFrame
    notes: tuple

    @property
    def mean(self):
        """Mean errors over repetitions (n_datasets, n_methods), percent."""
        return self.cells.mean

    @property
    def published(self):
        """The document's means of these; lacks what was not printed, and is empty when nothing was."""
        return self.cells.published

    @property
    def both(self):
        """Mean errors to compare, dict: ours, and the published ones when there are any."""
        return {"ours": self.mean} | ({"publ.": self.published} if self.published.size else {})

    @property
    def runs(self):
        """Errors in percent, index (data set, repetition), one column per method."""
        final = self.scores[self.scores["final"]]
        errors = final.pivot(index=["dataset", "repetition"], columns="method", values="test_error")
        return PERCENT * errors.loc[list(self.mean.index), list(self.mean)]


def comparison(given, validation, among=None):
    """The Comparison of the methods of a study that have scores of enough data sets under one validation.

    among: of these methods only (list of names); None: of all. Data sets of which the document has no cells are left
    out, unless it has none of any. Raises: Fault without scores.
    """
    among = _printed_first(given, validation, given.methods if among is None else among)
    methods = given.scored(among)
    part = given.cells(given.scores, methods, [validation])[validation].as_published()
    printed = {name: label or name for name, label in given.published_names.items()}
    names = {name: label for name, label in printed.items() if name in part.mean.index}
    labels = {name: given.label(name) for name in methods}
    rows = shared(given.scores, validation, methods).query("dataset in @names")
    named = part.renamed(names, labels)
    said = [
        *face.coverage({validation: replace(part, left_out=tuple(printed[name] for name in part.left_out))}),
        *face.copies({validation: part}, given.copies),
        *face.not_comparable([name for name in given.not_comparable if name in named.published.index]),
        *given.absent(among, methods),
    ]
    return Comparison(
        cells=named,
        scores=rows.assign(dataset=rows["dataset"].map(names), method=rows["method"].map(labels)),
        notes=tuple(said),
    )


def _printed_first(given, validation, methods):
    """The methods in their order, those that the document does not print behind the others."""
    printed = given.printed.get(validation, (pd.DataFrame(),))[0]
    return sorted(methods, key=lambda name: name not in printed)
