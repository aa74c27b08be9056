"""What a measure of a claim is, what it compares, and where measures are registered by name.

A measure gives a value for each component of what a claim says, such as for each pair of methods that it compares, and
is positive where a is better than b (lower error). It is vectorised over the leading axes of the sample, so that one
function serves the estimate, its resamples, the published cells and simulated experiments.
"""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.claims.sample import ERROR

POINTS, RANKS, PERCENT_OF_SETS, SHARE = "points", "ranks", "% of data sets", "share of searches"
MEASURES: dict[str, "Measure"] = {}


ALL, MAJORITY = "all", "majority"
PAIRS, LEADS, EACH_TWO = "pairs", "leads", "each two"


@dataclass(frozen=True)
class Measure:
    """function(sample, side) -> (..., k), in `unit`, one value a component; quantities: what of the scores it needs.

    components: what they compare, PAIRS (of `gains_of`), LEADS (of `leads_of`), EACH_TWO of all or something else.
    needs: whether a claim needs all of them or the majority.
    terms(sample, side) -> (..., n_datasets, k), (..., k): signed terms, multiples of one half, whose sum, as percentage
    of the second, is the measure; None for a measure that is no such sum.
    """

    function: object
    unit: str
    quantities: tuple
    components: str = ""
    needs: str = ALL
    terms: object = None

    def needed(self, count):
        """How many of so many components a claim needs."""
        return count // 2 + 1 if self.needs == MAJORITY else count


@dataclass(frozen=True)
class Side:
    """What is compared, as positions (tuples of int) among a sample's columns.

    field: those that are ranked together. sign: with which the side enters a contrast of two.
    """

    a: tuple
    b: tuple
    field: tuple = ()
    sign: int = 1


def measure(unit, *quantities, components="", needs=ALL, terms=None):
    """Register the decorated function under its own name."""

    def register(function):
        MEASURES[function.__name__] = Measure(function, unit, quantities or (ERROR,), components, needs, terms)
        return function

    return register


def leads_of(values, side):
    """b - a of each of a with each of b: values (..., n_columns) -> (..., len(a) len(b))."""
    leads = values[..., None, list(side.b)] - values[..., list(side.a), None]
    return leads.reshape(*leads.shape[:-2], -1)


def gains_of(values, side):
    """b - a of each pair, one of them perhaps in all pairs: values (..., n_columns) -> (..., n_pairs)."""
    return values[..., list(side.b)] - values[..., list(side.a)]


def only(values):
    """The single component (..., 1) of values (...)."""
    return np.asarray(values)[..., None]
