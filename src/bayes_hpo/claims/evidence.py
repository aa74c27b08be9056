"""What our runs and the published cells say of the parts of claims: estimates, intervals, published sizes, tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np

from bayes_hpo.claims.interval import Bootstrapped, Flipped, by_family, guard
from bayes_hpo.claims.measure import EACH_TWO, PAIRS
from bayes_hpo.claims.sample import ERROR, Resampled, Sample
from bayes_hpo.claims.verdict import distances
from bayes_hpo.stats import bootstrap, wilcoxon

EXACT = 25  # up to as many data sets Wilcoxon's test is exact
NOTHING: Mapping = MappingProxyType({})


@dataclass(frozen=True)
class Evidence:
    """What is known of the k components of a part, in the unit of its measure.

    claim: the Claim; needed: of how many components it asks. estimates (k,). interval: theirs (`claims.interval`).
    all_published (k,): the same measure of the published cells of the same data sets, NaN without cells. tests (k,): p
    of the document's own test, NaN where the measure is not of pairs. units: data sets, or repetitions of the only one.
    repetitions (n_units,). is_as_precise: whether that many are behind the published value.
    """

    claim: object
    needed: int
    estimates: np.ndarray
    interval: object
    units: int
    repetitions: tuple
    all_published: np.ndarray
    tests: np.ndarray
    is_as_precise: bool = True

    @property
    def components(self):
        """How many there are."""
        return len(self.estimates)

    @cached_property
    def deciding(self):
        """The component by which the claim stands or falls: the one that completes what is needed."""
        slack = distances(self.claim, self.estimates) - self.interval.widths(self.claim.level)
        return int(np.argsort(-np.nan_to_num(slack), kind="stable")[self.needed - 1])

    @property
    def estimate(self):
        """That of the deciding component."""
        return float(self.estimates[self.deciding])

    @property
    def half_width(self):
        """Half of its interval, at the level of one component."""
        return float(self.interval.widths(self.claim.level)[self.deciding])

    @property
    def low(self):
        """Lower end of its interval."""
        return self.estimate - self.half_width

    @property
    def high(self):
        """Upper end of its interval."""
        return self.estimate + self.half_width

    @property
    def published(self):
        """Its published value."""
        return float(self.all_published[self.deciding])

    @property
    def p_test(self):
        """p of the document's test: of the deciding component, for equality the least of all."""
        return float(self.tests[self.deciding] if self.claim.is_direction else self.tests.min())

    @property
    def p(self):
        """The least level at which the intervals would conclude: two-sided for a direction, one-sided for equality.

        The p of the component that completes what is needed, times the number of those that may seem true by chance.
        """
        tails = np.sort(self.interval.tails(distances(self.claim, self.estimates)))
        sides = 2 if self.claim.is_direction else 1
        return float(np.minimum(1, sides * tails[self.needed - 1] * (self.components - self.needed + 1)))


def exact(part, frame):
    """Evidence of an identity from the frame that its measure is taken of: one number without an interval."""
    nothing = np.array([np.nan])
    value = np.array([part.measure.function(frame)])
    return Evidence(part.claim, 1, value, Bootstrapped(nothing, 0), 0, (0,), nothing, nothing)


def weigh(parts, runs, printed=NOTHING, behind=NOTHING, seed=bootstrap.SEED, draws=bootstrap.DRAWS):
    """Evidence of each part (list) on the Runs that all of them rest on.

    printed: dict, (study, validation) -> mean and sd that the document prints, two frames (data sets, methods);
    behind: of how many repetitions.
    Every part is measured by one function on our means, on their resamples and on the published cells.
    """
    runs, cells = _beside_cells(parts[0], runs, printed)
    means, often = runs.means(), _often(tuple(runs.families), seed, draws)
    ours, resampled = Sample(means, runs.sizes), Resampled(means, runs.sizes, often)
    theirs = None if cells is None else Sample({ERROR: cells}, runs.sizes)
    return [_evidence(part, runs, ours, resampled, theirs, behind, draws) for part in parts]


def _evidence(part, runs, ours, resampled, theirs, behind, draws):
    """The Evidence of one part from our Sample, its Resampled and that of the published cells (None without any)."""
    estimates = part.value(ours)
    nothing = np.full_like(estimates, np.nan)
    return Evidence(
        claim=part.claim,
        needed=part.measure.needed(len(estimates)),
        estimates=estimates,
        interval=_interval(part, runs.families, ours, resampled, draws),
        units=len(runs.families),
        repetitions=tuple(runs.repetitions.tolist()),
        is_as_precise=runs.repetitions.min() >= _behind(part, behind),
        all_published=nothing if theirs is None else part.value(theirs),
        tests=_tests(part, ours, nothing),
    )


def _behind(part, behind):
    """The most repetitions behind a published value of a part's columns; 0 where that is unknown."""
    known = [behind.get((column.study, column.validation), 0) for column in part.columns]
    return part.claim.repetitions or max(known, default=0)


def _interval(part, families, ours, resampled, draws):
    """Exact where the part has signed terms and is about zero, else bootstrapped."""
    labels, numbers = np.unique(families, return_inverse=True)
    count = len(labels)
    if part.terms is not None and count > 1:
        terms, totals = part.terms(ours)
        return Flipped(by_family(terms, numbers), np.full(terms.shape[-1], 100) / totals)
    # benchmarks.coverage simulates the verdicts of DRAWS with fewer: its guard is theirs
    return Bootstrapped(bootstrap.deviations(part.value(resampled), count), count, guard(max(draws, bootstrap.DRAWS)))


def _tests(part, ours, nothing):
    """p of Wilcoxon's test of each pair (k,), exact for few data sets; `nothing` where the measure is of no pairs."""
    if not is_tested(part):
        return nothing
    p_of = wilcoxon.exact_p_value if ours.count <= EXACT else wilcoxon.p_value
    return np.array([p_of(ours.values[ERROR][:, b] - ours.values[ERROR][:, a]) for a, b in part.pairs])


def is_tested(part):
    """Whether the components of a part are pairs of methods that the document's test compares."""
    return part.measure.components in (PAIRS, EACH_TWO) and part.measure.quantities == (ERROR,) and bool(part.pairs)


def _beside_cells(part, runs, printed):
    """(runs, cells): the Runs of the data sets that have published cells, and these; all Runs and None without any.

    cells: mean errors in percent, array (n_units, n_columns).
    """
    tables = [printed.get((column.study, column.validation)) for column in part.columns]
    if part.measure.quantities != (ERROR,) or not all(map(has, tables, part.columns)):
        return runs, None
    cells = np.column_stack(
        [table[0][column.method].reindex(runs.datasets) for table, column in zip(tables, part.columns, strict=True)]
    )
    there = np.isfinite(cells).all(axis=1)
    return (runs.only(there), cells[there]) if there.any() else (runs, None)


def has(table, column):
    """Whether a table of printed cells (mean and sd, or None) has a Column."""
    return table is not None and column.method in table[0]


@lru_cache(maxsize=8)
def _often(families, seed, draws):
    """The same resamples for all parts that rest on the same data sets."""
    return bootstrap.draw(families, draws, seed)
