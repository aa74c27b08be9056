"""Mean errors of methods on the same data sets and repetitions of one validation, ours and the published ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, combinations

import pandas as pd

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.documents.printed import Printed
from bayes_hpo.errors import MissingResultsError
from bayes_hpo.outcomes.kinds import PERCENT
from bayes_hpo.report import caption, left_out
from bayes_hpo.report.results import Results

KEPT = 0.75  # share of the best covered pair's data sets that must remain when a method is added
BOTH = tuple(VALIDATIONS)
FRAMES = ("mean", "sd", "published_mean", "published_sd")


@dataclass(frozen=True)
class Comparison:
    """Errors of some methods in the unit of the study's task; ours are unrounded.

    validation: name.
    mean, sd (n_datasets, n_methods): ours over repetitions; sd has the print's divisor and is NaN for one repetition.
    repetitions (n_datasets,): number of repetitions behind each mean.
    published_mean, published_sd (n_datasets, n_methods): the document's, NaN where nothing is printed.
    scores: rows of these methods in the repetitions that all of them have finished; errors are mean losses.
    left_out: data sets without a repetition that all methods have finished.
    unpublished: data sets dropped because the document has no cells for them.
    printed_size: number of data sets in the document's table, 0 if it has none.
    planned: numbers of data sets and repetitions at this scale, 0 if unknown.
    factor: of the unit; mean losses are multiplied by it.
    """

    validation: str
    mean: pd.DataFrame
    sd: pd.DataFrame
    repetitions: pd.Series
    published_mean: pd.DataFrame
    published_sd: pd.DataFrame
    scores: pd.DataFrame = field(default_factory=pd.DataFrame)
    left_out: tuple = ()
    unpublished: tuple = ()
    printed_size: int = 0
    planned: tuple[int, int] = (0, 0)
    factor: float = PERCENT.factor

    @property
    def published(self) -> pd.DataFrame:
        """The published means, restricted to data sets and methods for which the document has a cell."""
        return self.published_mean.dropna(how="all").dropna(axis=1, how="all")

    @property
    def both(self) -> dict[str, pd.DataFrame]:
        """Mean errors to compare: "ours", and "publ." if the document has any."""
        return {"ours": self.mean} | ({"publ.": self.published} if self.published.size else {})

    @property
    def rows(self) -> pd.DataFrame:
        """The scores of the compared data sets."""
        return self.scores[self.scores["dataset"].isin(self.mean.index)]

    @property
    def runs(self) -> pd.DataFrame:
        """Errors at the end of the searches: index (data set, repetition), one column per method."""
        final = self.rows[self.rows["final"]]
        errors = final.pivot(index=["dataset", "repetition"], columns="method", values="test_error")
        return self.factor * errors.loc[list(self.mean.index), list(self.mean)]

    def as_published(self) -> "Comparison":
        """The comparison on the data sets that the document has, too; unchanged if it has none of them."""
        printed = self.published_mean.notna().any(axis=1)
        if not printed.any():
            return self
        unpublished = tuple(printed.index[~printed])
        return replace(self.without(unpublished), unpublished=unpublished)

    def without(self, datasets: Iterable[str]) -> "Comparison":
        """The comparison without some data sets (names)."""
        kept = self.repetitions.index.difference(datasets, sort=False)
        return replace(self, **{name: getattr(self, name).loc[kept] for name in ("repetitions", *FRAMES)})

    def renamed(self, datasets: dict[str, str], methods: dict[str, str]) -> "Comparison":
        """The comparison under other names: dicts, name -> new name; data sets in the order of the first dict."""
        order = [name for name in datasets if name in self.mean.index]
        frames = {name: getattr(self, name).loc[order].rename(index=datasets, columns=methods) for name in FRAMES}
        named = {"dataset": self.rows["dataset"].map(datasets), "method": self.rows["method"].map(methods)}
        repetitions = self.repetitions.loc[order].rename(datasets)
        left_out = tuple(datasets.get(name, name) for name in self.left_out)
        return replace(self, repetitions=repetitions, left_out=left_out, scores=self.rows.assign(**named), **frames)


def covering(scores: pd.DataFrame, validation: str, methods: list[str]) -> list[str]:
    """The methods (from a list of names) that can be compared without losing many data sets, in the same order.

    Begins with the pair with most data sets in common repetitions; adds, in order of coverage, every method with which
    at least KEPT of these data sets remain. Returns all methods if fewer than two have scores.
    """
    final = scores[scores["final"] & (scores["validation"] == validation)]
    keys = pd.MultiIndex.from_frame(final[["dataset", "repetition"]])
    runs = {name: set(keys[final["method"] == name]) for name in methods}

    def remaining(*names):
        return len({dataset for dataset, _ in set.intersection(*(runs[name] for name in names))})

    scored = sorted(filter(runs.get, methods), key=remaining, reverse=True)
    if len(scored) < 2:
        return methods
    kept: tuple[str, ...] = max(combinations(scored, 2), key=lambda pair: remaining(*pair))
    least = KEPT * remaining(*kept)
    for name in scored:
        if name not in kept and remaining(*kept, name) >= least:
            kept = (*kept, name)
    return [name for name in methods if name in kept]


def shared(scores: pd.DataFrame, validation: str, methods: list[str]) -> pd.DataFrame:
    """The scores of one validation in the repetitions that all methods have finished, so that methods stay paired."""
    rows = scores[(scores["validation"] == validation) & scores["method"].isin(methods)]
    finished = rows[rows["final"]].groupby(["dataset", "repetition"]).size() == len(methods)
    return rows.merge(finished[finished].index.to_frame(index=False), on=["dataset", "repetition"])


def comparison(
    scores: pd.DataFrame, validation: str, methods: list[str], datasets: Iterable[str], printed: Printed, factor: float
) -> Comparison:
    """The Comparison of `methods` on `datasets` (in this order) at the end of their searches; it may be empty.

    A data set is included if at least one repetition has scores of all methods.
    scores: frame of `frames.read`.
    printed: what the document prints; sd has its divisor.
    factor: of the unit of errors (`outcomes.kinds.Unit`).
    """
    rows = shared(scores, validation, methods)
    final = rows.query("final")
    by_cell = final.groupby(["dataset", "method"])["test_error"]
    scored = set(final["dataset"].unique())
    entered = [name for name in datasets if name in scored]
    spread = by_cell.std(ddof=printed.ddof(validation)).where(by_cell.size() > 1)
    mean, sd = (factor * values.unstack().reindex(entered, columns=methods) for values in (by_cell.mean(), spread))
    cells = printed.of_validation(validation)
    published_mean, published_sd = (frame.reindex(index=entered, columns=methods) for frame in cells)
    repetitions = final.groupby("dataset")["repetition"].nunique().reindex(entered)
    left_out = tuple(name for name in datasets if name not in scored)
    return Comparison(validation, mean, sd, repetitions, published_mean, published_sd, rows, left_out, factor=factor)


def of_methods(results: Results, validation: str, methods: list[str], scores: pd.DataFrame | None = None) -> Comparison:
    """The Comparison of some methods of a study; it may be empty. scores: subset of the study's rows, None for all."""
    rows, printed = results.scores if scores is None else scores, results.printed
    compared = comparison(rows, validation, methods, results.datasets, printed, results.unit.factor)
    return replace(compared, printed_size=printed.sizes.get(validation, 0), planned=results.planned(validation))


def compare(
    results: Results, methods: list[str], validations: Iterable[str] = BOTH, scores: pd.DataFrame | None = None
) -> dict[str, Comparison]:
    """The Comparison for each validation with at least one data set with scores of all `methods`: dict by validation.

    scores: subset of the rows of results.scores, None for all.
    Raises: MissingResultsError when there is no such data set.
    """
    rows = results.scores if scores is None else scores
    return _entered(results, {name: of_methods(results, name, methods, rows) for name in validations}, methods, rows)


def covered(
    results: Results, every: list[str], validations: Iterable[str] = BOTH, scores: pd.DataFrame | None = None
) -> tuple[dict[str, Comparison], list[str]]:
    """(`compare`, notes) for the methods among `every` that have scores of enough data sets, under each validation.

    The notes list the methods that are left out, and validations without scores. scores, Raises: as in `compare`.
    """
    rows = results.scores if scores is None else scores
    kept = {name: covering(rows, name, every) for name in validations}
    of_each = {name: of_methods(results, name, methods, rows) for name, methods in kept.items()}
    compared = _entered(results, of_each, list(dict.fromkeys(chain(*kept.values()))), rows)
    return compared, [
        *left_out.validations(of_each, compared),
        *left_out.methods(results.printed.method, every, compared, scored(rows)),
    ]


def covered_under(results: Results, validation: str, every: list[str]) -> tuple[Comparison, list[str]]:
    """(Comparison, notes) of `covered` under one validation; the notes include its data sets and repetitions."""
    compared, absent = covered(results, every, [validation])
    notes = [*caption.coverage(compared), *caption.copies(compared, results.copies), *absent]
    return compared[validation], notes


def scored(rows: pd.DataFrame) -> dict[str, set[str]]:
    """The methods with scores under each validation: dict by validation."""
    return {name: set(methods) for name, methods in rows.groupby("validation")["method"]}


def _entered(
    results: Results, compared: Mapping[str, Comparison], methods: list[str], rows: pd.DataFrame
) -> dict[str, Comparison]:
    """The comparisons of some methods that include a data set. Raises: MissingResultsError when there are none.

    rows: the scores behind the comparisons.
    """
    entered = {name: of_one for name, of_one in compared.items() if len(of_one.mean)}
    if not entered:
        labels = " or ".join(VALIDATIONS[name] for name in compared)
        there = set().union(*(scored(rows).get(name, ()) for name in compared))
        absent = ", ".join(results.printed.method(name) for name in methods if name not in there)
        raise MissingResultsError(
            f"no data set has {labels} scores of all {len(methods)} methods in one repetition (absent: "
            f"{absent or 'none at all'}); {results.remake}"
        )
    return entered


def beside_published(
    results: Results, methods: list[str], validations: Iterable[str] = BOTH, scores: pd.DataFrame | None = None
) -> dict[str, Comparison]:
    """`compare`, with each Comparison restricted to the document's data sets (`Comparison.as_published`)."""
    return {name: part.as_published() for name, part in compare(results, methods, validations, scores).items()}


def as_printed(
    results: Results, validation: str, among: Iterable[str] | None = None, scores: pd.DataFrame | None = None
) -> tuple[Comparison, list[str]]:
    """(Comparison, notes) under printed names and in printed order, for the methods with scores of enough data sets.

    among: methods of the study to choose from, None for all; those that the document does not print come last.
    Data sets without printed cells are left out, unless no cells are printed at all. scores: as in `compare`.
    Raises: MissingResultsError without scores.
    """
    printed = results.printed
    among = [name for name in among or results.methods if name in results.methods]
    among = sorted(among, key=lambda name: name not in printed.of_validation(validation)[0])
    compared, absent = covered(results, among, [validation], scores)
    ours = compared[validation].as_published()
    named = ours.renamed(
        {name: printed.dataset(name) for name in printed.names}, {m: printed.method(m) for m in ours.mean}
    )
    return named, [
        *caption.coverage({validation: named}),
        *caption.copies({validation: ours}, results.copies),
        *caption.not_comparable([name for name in printed.not_comparable if name in named.published.index]),
        *absent,
    ]
