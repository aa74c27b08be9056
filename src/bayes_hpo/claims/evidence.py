"""The evidence on the parts of claims, from our runs and the published cells: estimates, intervals and tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.claims.claim import Claim
from bayes_hpo.claims.identities import FRAMES
from bayes_hpo.claims.interval import Bootstrapped, Flipped, by_family, guard
from bayes_hpo.claims.measure import EACH_TWO, PAIRS, WIN_FREQUENCY
from bayes_hpo.claims.part import Part
from bayes_hpo.claims.runs import Runs
from bayes_hpo.claims.sample import ERROR, Resampled, Sample
from bayes_hpo.stats import bootstrap, wilcoxon
from bayes_hpo.stats.win_frequency import sign_test

EXACT = 25  # largest number of data sets for which Wilcoxon's test is exact
NOTHING: Mapping = MappingProxyType({})
Cells = tuple[pd.DataFrame, pd.DataFrame]  # printed mean and sd


@dataclass(frozen=True)
class Evidence:
    """The evidence on the k components of a part, in the unit of its measure.

    claim: the Claim.
    needed: number of components that must hold for the claim.
    estimates (k,): the measure of our runs.
    interval: interval of the estimates.
    units: number of data sets, or of repetitions of a single one.
    repetitions (n_units,): number of repetitions of each unit.
    all_published (k,): the measure of the published cells on the same data sets, NaN without cells.
    tests (k,): p of the document's test, NaN if the measure is not one of pairs or wins.
    is_as_precise: whether our values have at least as many repetitions as the published ones.
    datasets: names of the data sets.
    """

    claim: Claim
    needed: int
    estimates: NDArray
    interval: Bootstrapped | Flipped
    units: int
    repetitions: tuple[int, ...]
    all_published: NDArray
    tests: NDArray
    is_as_precise: bool = True
    datasets: tuple[str, ...] = ()

    @property
    def components(self) -> int:
        """Number k of components."""
        return len(self.estimates)

    @cached_property
    def deciding(self) -> int:
        """The component that decides the claim: the last one needed, ordered by distance minus any half-width."""
        slack = self.claim.distances(self.estimates) - np.nan_to_num(self.interval.widths(self.claim.level))
        return int(np.argsort(-np.nan_to_num(slack), kind="stable")[self.needed - 1])

    @property
    def estimate(self) -> float:
        """The estimate of the deciding component."""
        return float(self.estimates[self.deciding])

    @property
    def half_width(self) -> float:
        """Half-width of its interval, at the level of a single component."""
        return float(self.interval.widths(self.claim.level)[self.deciding])

    @property
    def low(self) -> float:
        """Lower end of its interval."""
        return self.estimate - self.half_width

    @property
    def high(self) -> float:
        """Upper end of its interval."""
        return self.estimate + self.half_width

    @property
    def published(self) -> float:
        """Its published value."""
        return float(self.all_published[self.deciding])

    @property
    def p_test(self) -> float:
        """p of the document's test: that of the deciding component, or for equality the smallest."""
        return float(self.tests[self.deciding] if self.claim.is_direction else self.tests.min())

    @property
    def p(self) -> float:
        """The lowest level at which the intervals would conclude: two-sided for a direction, one-sided for equality.

        It is the p of the last component needed, times the number of components that could appear true by chance.
        """
        tails = np.sort(self.interval.tails(self.claim.distances(self.estimates)))
        sides = 2 if self.claim.is_direction else 1
        return float(np.minimum(1, sides * tails[self.needed - 1] * (self.components - self.needed + 1)))


def exact(part: Part, toys: Mapping[str, pd.DataFrame]) -> Evidence | None:
    """Evidence on an identity: a number without an interval; None if the frame of its measure is missing.

    toys: measure -> frame.
    """
    name = FRAMES[part.claim.measure]
    if name not in toys:
        return None
    unknown = np.array([np.nan])
    value = np.array([part.measure.function(toys[name])])
    return Evidence(part.claim, 1, value, Bootstrapped(unknown, 0), 0, (0,), unknown, unknown)


def evaluate(
    parts: Sequence[Part],
    runs: Runs,
    printed: Mapping[tuple[str, str], Cells] = NOTHING,
    behind: Mapping[tuple[str, str], int] = NOTHING,
    seed: int = bootstrap.SEED,
    draws: int = bootstrap.DRAWS,
) -> list[Evidence]:
    """Evidence on each of the parts, which all rest on the same Runs.

    Each part is measured by one function on our means, on their resamples and on the published cells.
    printed: (study, validation) -> printed mean and sd, two frames (data sets, methods).
    behind: (study, validation) -> number of repetitions behind these means.
    seed, draws: those of the bootstrap.
    """
    runs, cells = _beside_cells(parts[0], runs, printed)
    means, often = runs.means(), _often(tuple(runs.families), seed, draws)
    ours, resampled = Sample(means, runs.sizes), Resampled(means, runs.sizes, often)
    published = None if cells is None else Sample({ERROR: cells}, runs.sizes)
    return [_evidence(part, runs, ours, resampled, published, behind, draws) for part in parts]


def _evidence(part, runs, ours, resampled, published, behind, draws):
    """The Evidence on one part from our Sample, its Resampled and the published Sample (None without cells)."""
    estimates = part.value(ours)
    unknown = np.full_like(estimates, np.nan)
    return Evidence(
        claim=part.claim,
        needed=part.measure.needed(len(estimates)),
        estimates=estimates,
        interval=_interval(part, runs.families, ours, resampled, draws),
        units=len(runs.families),
        repetitions=tuple(runs.repetitions.tolist()),
        is_as_precise=runs.repetitions.min() >= _behind(part, behind),
        all_published=unknown if published is None else part.value(published),
        tests=_tests(part, ours) if is_tested(part) else unknown,
        datasets=tuple(dict.fromkeys(runs.datasets.tolist())),
    )


def _behind(part, behind):
    """Largest number of repetitions behind a published value in a part's columns; 0 if unknown."""
    known = [behind.get((column.study, column.validation), 0) for column in part.columns]
    return part.claim.repetitions or max(known, default=0)


def _interval(part, families, ours, resampled, draws):
    """The interval: exact if the part has signed terms and its limit is zero, else bootstrapped."""
    labels, numbers = np.unique(families, return_inverse=True)
    count = len(labels)
    if part.terms is not None and count > 1:
        terms, totals = part.terms(ours)
        return Flipped(by_family(terms, numbers), np.full(terms.shape[-1], 100) / totals)
    # benchmarks.coverage simulates verdicts with fewer than DRAWS draws, but with their guard
    return Bootstrapped(bootstrap.deviations(part.value(resampled), count), count, guard(max(draws, bootstrap.DRAWS)))


def _tests(part, ours):
    """p of the document's test for each component (k,): Wilcoxon's, exact for few data sets; for wins the sign test."""
    if part.measure.unit == WIN_FREQUENCY:
        both = _wins_and_losses(part, ours)
        # one-sided: on the claim's side, or for equality on the side with more wins
        sides = both if part.claim.is_direction else [(max(signs), min(signs)) for signs in both]
        return np.array([sign_test(wins, losses) for wins, losses in sides])
    p_of = wilcoxon.exact_p_value if ours.count <= EXACT else wilcoxon.p_value
    return np.array([p_of(ours.values[ERROR][:, b] - ours.values[ERROR][:, a]) for a, b in part.pairs])


def _wins_and_losses(part, ours):
    """Numbers of data sets on which each component is above and below zero: pairs (list of k)."""
    values = {name: cells[:, None] for name, cells in ours.values.items()}  # one data set at a time
    by_dataset = part.value(Sample(values, ours.sizes[:, None]))
    return [((column > 0).sum(), (column < 0).sum()) for column in by_dataset.T]


def is_tested(part: Part) -> bool:
    """Whether the document's test compares the components of a part: wins, or pairs of methods.

    The sign test asks whether a method wins on more than half of the data sets; it cannot test another share, or how
    much more often one method wins than a second.
    """
    if part.measure.unit == WIN_FREQUENCY:
        asks_for_half = not part.claim.is_direction or part.claim.limit == 0
        return asks_for_half and not any(side.b for side in part.sides)
    return part.measure.components in (PAIRS, EACH_TWO) and part.measure.quantities == (ERROR,) and bool(part.pairs)


def _beside_cells(part, runs, printed):
    """(runs, cells): the Runs on data sets with published cells, and these cells; all Runs and None without any.

    cells (n_units, n_columns): mean errors in the unit of the task.
    """
    cells = printed_cells(part, [printed.get((column.study, column.validation)) for column in part.columns])
    if cells is None or not (known := np.isin(runs.datasets, cells[0].index)).any():
        return runs, None
    return runs.only(known), np.ascontiguousarray(cells[0].loc[runs.datasets[known]])


def printed_cells(part: Part, tables: Sequence[Cells | None]) -> Cells | None:
    """Mean and sd of a part's columns, two frames (data sets, n_columns), on data sets for which all means are printed.

    None if a column is not printed, or the measure needs more than errors.
    tables: for each column, two frames (data sets, methods) with the printed cells of its validation, or None.
    """
    if part.measure.quantities != (ERROR,) or not all(
        table is not None and column.method in table[0] for table, column in zip(tables, part.columns, strict=True)
    ):
        return None
    known = [table for table in tables if table is not None]
    mean, sd = (
        pd.concat([table[place][column.method] for table, column in zip(known, part.columns, strict=True)], axis=1)
        for place in (0, 1)
    )
    mean = mean.dropna()
    return mean, sd.loc[mean.index]


@lru_cache(maxsize=8)
def _often(families, seed, draws):
    """The resamples, shared by all parts on the same data sets."""
    return bootstrap.draw(families, draws, seed)
