"""The definition of a measure of a claim and of what it compares, and the registry of measures by name.

A measure has a value for each component of a claim, such as each pair of methods that it compares, and is positive if a
is better than b (lower error). It is vectorized over the leading axes of the sample, so that one function serves the
estimate, its resamples, the published cells and simulated experiments.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayes_hpo.claims.sample import ERROR

POINTS = "points"  # percentage points, or the unit of a task with another one
RANKS, PERCENT_OF_SETS, SHARE = "ranks", "% of data sets", "share of searches"
WIN_FREQUENCY = "win frequency less .5"  # a tie counts one half
MEASURES: dict[str, "Measure"] = {}
ALL, MAJORITY = "all", "majority"
PAIRS, LEADS, EACH_TWO = "pairs", "leads", "each two"


@dataclass(frozen=True)
class Measure:
    """A measure of k components, and how many of them a claim needs.

    function(sample, side) -> (..., k): one value per component, in `unit`.
    quantities: those of a Sample that it reads.
    components: what they compare: PAIRS (as `gains_of`), LEADS (as `leads_of`), EACH_TWO of all, or something else.
    needs: whether a claim needs ALL of them or the MAJORITY.
    terms(sample, side) -> (..., n_datasets, k), (..., k): signed terms, multiples of one half, whose sum, in percent of
    the second result, is the measure; None if the measure is not such a sum.
    """

    function: Callable
    unit: str
    quantities: tuple[str, ...]
    components: str = ""
    needs: str = ALL
    terms: Callable | None = None

    def needed(self, count: int) -> int:
        """Number of components, among `count`, that a claim needs."""
        return count // 2 + 1 if self.needs == MAJORITY else count


@dataclass(frozen=True)
class Side:
    """What is compared, as positions among a sample's columns.

    a, b: the compared methods.
    field: methods that are ranked together.
    sign: sign of the side in a contrast of two.
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    field: tuple[int, ...] = ()
    sign: int = 1


def measure(
    unit: str, *quantities: str, components: str = "", needs: str = ALL, terms: Callable | None = None
) -> Callable[[Callable], Callable]:
    """Register the decorated function as a measure under its own name."""

    def register(function):
        MEASURES[function.__name__] = Measure(function, unit, quantities or (ERROR,), components, needs, terms)
        return function

    return register


def leads_of(values: NDArray, side: Side) -> NDArray:
    """Differences b - a for each of a with each of b: values (..., n_columns) -> (..., len(a) len(b))."""
    leads = values[..., None, list(side.b)] - values[..., list(side.a), None]
    return leads.reshape(*leads.shape[:-2], -1)


def gains_of(values: NDArray, side: Side) -> NDArray:
    """Differences b - a of each pair; a single a or b is in all pairs: values (..., n_columns) -> (..., n_pairs)."""
    return values[..., list(side.b)] - values[..., list(side.a)]


def only(values: ArrayLike) -> NDArray:
    """A single component: values (...) -> (..., 1)."""
    return np.asarray(values)[..., None]


def compared(statistic: Callable, differences: Callable) -> Callable:
    """The measure that takes `differences` (b - a) of a statistic of each column over data sets."""
    return lambda sample, side: differences(statistic(sample, side), side)
