"""The measures of claims: functions of a Sample and of the positions of what is compared in it, registered by name.

Every measure is vectorised over the leading axes of the sample and positive where a is better than b (lower error), so
that one function serves the estimate, its resamples, the published cells and simulated experiments. A *lead* sets the
worst of a against the best of b; a *gain* compares a and b pair by pair (one of them may stand for all pairs).
"""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.claims.sample import EARLY_ERROR, EARLY_LOSS, ERROR, LOSS, TRAITS
from bayes_hpo.stats.hodges_lehmann import hodges_lehmann
from bayes_hpo.stats.ranks import comparable, win_rate

POINTS, RANKS, PERCENT_OF_SETS = "points", "ranks", "% of data sets"
STAYS = 0.05  # points by which a test error that "stays" may fall: what a print of one decimal cannot show
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


@measure(RANKS)
def rank_lead(sample, side):
    """Mean rank of the best of b minus that of the worst of a: best, second, worst and two worst are all this."""
    return _rank_lead(sample, side, ERROR)


@measure("% of pairs")
def win_rate_lead(sample, side):
    """Pairwise win rate (tables 3.1, 3.5) of the worst of a minus that of the best of b."""
    rates = win_rate(sample.ranks(side.field).mean(axis=-2), len(side.field))
    return _lead(-rates, side)


@measure(RANKS, ERROR, EARLY_ERROR)
def lead_growth(sample, side):
    """The lead in rank at the end, or its growth since a quarter of the budget if that is less: positive for both."""
    final = _rank_lead(sample, side, ERROR)
    return np.minimum(final, final - _rank_lead(sample, side, EARLY_ERROR))


@measure(RANKS)
def rank_gain_least(sample, side):
    """Mean rank of b minus that of a, least of the pairs: positive when every pair gains."""
    return _rank_gains(sample, side).min(axis=-1)


@measure(RANKS)
def rank_gain_majority(sample, side):
    """The same gain of the pair that completes a majority: positive when more than half of the pairs gain."""
    gains = np.sort(_rank_gains(sample, side), axis=-1)
    return gains[..., (gains.shape[-1] - 1) // 2]


@measure(RANKS)
def rank_gain_mean(sample, side):
    """The same gain, averaged over the pairs."""
    return _rank_gains(sample, side).mean(axis=-1)


@measure(PERCENT_OF_SETS)
def net_wins(sample, side):
    """Data sets on which a is better minus those on which it is worse, in percent of all; the least of the pairs."""
    return 100 * np.sign(comparable(_gains(sample.values[ERROR], side))).mean(axis=-2).min(axis=-1)


@measure(POINTS)
def hodges_lehmann_least(sample, side):
    """Hodges and Lehmann's difference b - a of the mean errors over data sets, the least of the pairs."""
    return _shifts(_gains(sample.values[ERROR], side)).min(axis=-1)


@measure(POINTS)
def hodges_lehmann_farthest(sample, side):
    """The same difference of the pair in which it is farthest from zero: small when no pair differs."""
    shifts = _shifts(_gains(sample.values[ERROR], side))
    return np.take_along_axis(shifts, np.abs(shifts).argmax(axis=-1)[..., None], axis=-1)[..., 0]


@measure(POINTS)
def median_lead(sample, side):
    """Median error of the best of b minus that of the worst of a."""
    return sample.medians(side.b).min(axis=-1) - sample.medians(side.a).max(axis=-1)


@measure(POINTS)
def median_gain_least(sample, side):
    """Median error of b minus that of a, least of the pairs."""
    return (sample.medians(side.b) - sample.medians(side.a)).min(axis=-1)


@measure(POINTS)
def median_spread(sample, side):
    """Highest minus lowest of the median errors of a and b."""
    return np.ptp(sample.medians(side.a + side.b), axis=-1)


@measure(POINTS, ERROR, LOSS)
def gap(sample, side):
    """Test error minus validation loss of a, averaged over its columns: Hodges and Lehmann's centre over data sets."""
    return _centre(sample.values[ERROR] - sample.values[LOSS], side)


@measure(POINTS, ERROR, LOSS, EARLY_ERROR, EARLY_LOSS)
def gap_growth(sample, side):
    """How much that gap has grown since a quarter of the budget."""
    early = sample.values[EARLY_ERROR] - sample.values[EARLY_LOSS]
    return _centre(sample.values[ERROR] - sample.values[LOSS] - early, side)


@measure(POINTS, ERROR, EARLY_ERROR)
def error_growth(sample, side):
    """How much the test error of a has grown since a quarter of the budget, averaged over units and columns."""
    return _mean(sample.values[ERROR] - sample.values[EARLY_ERROR], side)


@measure(POINTS, LOSS, EARLY_LOSS)
def late_gain(sample, side):
    """How much the validation loss of a still falls after a quarter of the budget, averaged likewise."""
    return _mean(sample.values[EARLY_LOSS] - sample.values[LOSS], side)


@measure(POINTS, ERROR, EARLY_ERROR, LOSS, EARLY_LOSS)
def late_overfit(sample, side):
    """The late gain, or the growth of the test error plus STAYS if that is less: positive where both are."""
    return np.minimum(late_gain(sample, side), error_growth(sample, side) + STAYS)


def trait(name, unit):
    """Register the mean of a trait of a as a measure of its name."""
    MEASURES[name] = Measure(lambda sample, side: _mean(sample.values[name], side), unit, (name,))


for _name, _unit in zip(TRAITS, ("decades", "decades", "decades", "trials"), strict=True):
    trait(_name, _unit)


@measure("ranks per decade")
def size_trend(sample, side):
    """Slope of the rank in a data set on log10 of its size, of b minus that of a.

    Positive when a improves and b worsens with size; one of the two may be empty.
    """
    x = np.log10(sample.sizes)
    x = x - x.mean(axis=-1, keepdims=True)  # (..., n_datasets)
    spread = (x**2).sum(axis=-1)[..., None]
    ranks = sample.ranks(side.field)
    # One size only has no trend: zero.
    slopes = np.einsum("...d,...dc->...c", x, ranks) / np.where(spread > 0, spread, np.inf)
    return sum(slopes[..., i] for i in side.b) - sum(slopes[..., i] for i in side.a)


def _lead(values, side):
    """Lowest of b minus highest of a: values (..., n_columns) -> (...)."""
    return values[..., list(side.b)].min(axis=-1) - values[..., list(side.a)].max(axis=-1)


def _rank_lead(sample, side, quantity):
    return _lead(sample.ranks(side.field, quantity).mean(axis=-2), side)


def _rank_gains(sample, side):
    return _gains(sample.ranks(side.field).mean(axis=-2), side)


def _gains(values, side):
    """b - a of each pair: values (..., n_columns) -> (..., n_pairs)."""
    return values[..., list(side.b)] - values[..., list(side.a)]


def _shifts(gains):
    """Hodges and Lehmann's centre over data sets: (..., n_datasets, n_pairs) -> (..., n_pairs)."""
    return hodges_lehmann(np.moveaxis(gains, -1, -2))


def _mean(values, side):
    """Mean over data sets and columns of a: (..., n_datasets, n_columns) -> (...)."""
    return values[..., list(side.a)].mean(axis=(-2, -1))


def _centre(gaps, side):
    return hodges_lehmann(gaps[..., list(side.a)].mean(axis=-1))
