"""What a measure of a claim is, what it compares, and where measures are registered by name.

Every measure is vectorised over the leading axes of the sample and positive where a is better than b (lower error), so
that one function serves the estimate, its resamples, the published cells and simulated experiments. A *lead* sets the
worst of a against the best of b; a *gain* compares a and b pair by pair (one of them may stand for all pairs).
"""

from dataclasses import dataclass

from bayes_hpo.claims.sample import ERROR

POINTS, RANKS, PERCENT_OF_SETS, SHARE = "points", "ranks", "% of data sets", "share of searches"
MEASURES = {}


@dataclass(frozen=True)
class Measure:
    """function(sample, side) -> (...), in `unit`; quantities: what of the scores it needs."""

    function: object
    unit: str
    quantities: tuple


@dataclass(frozen=True)
class Side:
    """What is compared, as positions (tuples of int) among a sample's columns.

    field: those that are ranked together. sign: with which the side enters a contrast of two.
    """

    a: tuple
    b: tuple
    field: tuple = ()
    sign: int = 1


def measure(unit, *quantities):
    """Register the decorated function under its own name."""

    def register(function):
        MEASURES[function.__name__] = Measure(function, unit, quantities or (ERROR,))
        return function

    return register


def lead_of(values, side):
    """Lowest of b minus highest of a: values (..., n_columns) -> (...)."""
    return values[..., list(side.b)].min(axis=-1) - values[..., list(side.a)].max(axis=-1)


def gains_of(values, side):
    """b - a of each pair: values (..., n_columns) -> (..., n_pairs)."""
    return values[..., list(side.b)] - values[..., list(side.a)]
