"""Mean test errors per data set and method of one validation, ours beside the published ones of the same data sets."""

from dataclasses import dataclass, replace
from itertools import combinations

import pandas as pd

KEPT = 0.5  # share of the data sets of the best covered pair of methods that all compared methods must have
PERCENT = 100  # scores are fractions, what the documents print is in percent
FRAMES = ("mean", "sd", "published_mean", "published_sd")


@dataclass(frozen=True)
class Cells:
    """Frames (n_datasets, n_methods) in percent, unrounded where they are ours; sd over repetitions has ddof 0.

    published_mean, published_sd: the same data sets and methods in the document, NaN where nothing was printed.
    repetitions (n_datasets,): how many each mean rests on. left_out: data sets without a repetition of every method;
    unpublished: data sets that were dropped because the document has no cell of them.
    """

    validation: str
    mean: pd.DataFrame
    sd: pd.DataFrame
    repetitions: pd.Series
    published_mean: pd.DataFrame
    published_sd: pd.DataFrame
    left_out: tuple = ()
    unpublished: tuple = ()

    @property
    def published(self):
        """Frame of the published means: data sets and methods of which the document has a cell."""
        return self.published_mean.dropna(how="all").dropna(axis=1, how="all")

    def as_published(self):
        """The cells of the data sets that the document has too; all of them when it has none.

        Ours and published are compared on the same data sets only.
        """
        has = self.published_mean.notna().any(axis=1)
        if not has.any():
            return self
        unpublished = tuple(has.index[~has])
        return replace(self.without(unpublished), unpublished=unpublished)

    def renamed(self, datasets, methods):
        """The cells under other names. datasets, in the wanted order, and methods: dicts, name -> new name."""
        order = [name for name in datasets if name in self.mean.index]
        frames = {name: getattr(self, name).loc[order].rename(index=datasets, columns=methods) for name in FRAMES}
        return replace(self, repetitions=self.repetitions.loc[order].rename(datasets), **frames)

    def without(self, datasets):
        """The cells of the data sets that are not among `datasets` (names)."""
        kept = self.repetitions.index.difference(datasets, sort=False)
        return replace(self, **{name: getattr(self, name).loc[kept] for name in ("repetitions", *FRAMES)})


def covering(scores, methods):
    """Those of the methods (list of names) that can be compared without losing most data sets, in the same order.

    First the pair with the most data sets in common repetitions; then, in order of coverage, every method with which at
    least KEPT of these data sets remain. All methods when fewer than two have scores.
    """
    final = scores[scores["final"]]
    keys = pd.MultiIndex.from_frame(final[["validation", "dataset", "repetition"]])
    runs = {name: set(keys[final["method"] == name]) for name in methods}

    def remaining(*names):
        return len({run[:-1] for run in set.intersection(*(runs[name] for name in names))})

    found = sorted(filter(runs.get, methods), key=remaining, reverse=True)
    if len(found) < 2:
        return methods
    kept = max(combinations(found, 2), key=lambda pair: remaining(*pair))
    least = KEPT * remaining(*kept)
    for name in found:
        if name not in kept and remaining(*kept, name) >= least:
            kept = (*kept, name)
    return [name for name in methods if name in kept]


def shared(scores, validation, methods):
    """The scores of one validation in the repetitions that every method has finished, so that methods stay paired."""
    rows = scores[(scores["validation"] == validation) & scores["method"].isin(methods)]
    finished = rows[rows["final"]].groupby(["dataset", "repetition"]).size() == len(methods)
    return rows.merge(finished[finished].index.to_frame(index=False), on=["dataset", "repetition"])


def cells(scores, validation, methods, datasets, printed, factor=PERCENT):
    """The cells of `datasets` (in this order) and `methods` at the end of their searches.

    scores: frame of report.scores. printed: mean and sd of the document, two frames (data sets, methods). factor: of
    the unit of errors (`outcomes.kinds.Unit`). A data set enters when at least one repetition has a
    score of every method.
    """
    final = shared(scores, validation, methods).query("final")
    by_cell = final.groupby(["dataset", "method"])["test_error"]
    found = set(final["dataset"])
    entered = [name for name in datasets if name in found]
    mean, sd = (
        factor * part.unstack().reindex(entered, columns=methods) for part in (by_cell.mean(), by_cell.std(ddof=0))
    )
    published_mean, published_sd = (part.reindex(index=entered, columns=methods) for part in printed)
    return Cells(
        validation=validation,
        mean=mean,
        sd=sd,
        repetitions=final.groupby("dataset")["repetition"].nunique().reindex(entered),
        published_mean=published_mean,
        published_sd=published_sd,
        left_out=tuple(name for name in datasets if name not in found),
    )
