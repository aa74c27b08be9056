"""Measures of claims about ranks among the methods of a field."""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.claims.measure import (
    LEADS,
    MAJORITY,
    MEASURES,
    PAIRS,
    RANKS,
    Measure,
    Side,
    compared,
    gains_of,
    leads_of,
    measure,
    only,
)
from bayes_hpo.claims.sample import EARLY_ERROR, ERROR, LOSS, Sample
from bayes_hpo.stats.friedman import critical_chi_square, critical_difference


@measure(RANKS, ERROR, EARLY_ERROR)
def lead_growth(sample: Sample, side: Side) -> NDArray:
    """The leads in rank at the end, and the growth of the smallest lead since a quarter of the budget."""
    final = _leads(sample, side, ERROR)
    growth = final.min(axis=-1) - _leads(sample, side, EARLY_ERROR).min(axis=-1)
    return np.concatenate([final, only(growth)], axis=-1)


@measure(RANKS)
def rank_gain_mean(sample: Sample, side: Side) -> NDArray:
    """Mean rank of b minus that of a, averaged over the pairs."""
    return only(gains_of(_mean_ranks(sample, side), side).mean(axis=-1))


@measure("chi-square")
def friedman_excess(sample: Sample, side: Side) -> NDArray:
    """Friedman's chi-square of the field minus its critical value; without correction for ties it is rather too low."""
    ranks, k = _mean_ranks(sample, side)[..., list(side.field)], len(side.field)
    chi_square = 12 * sample.count / (k * (k + 1)) * ((ranks - (k + 1) / 2) ** 2).sum(axis=-1)
    return only(chi_square - critical_chi_square(k))


@measure(RANKS)
def separated_alone(sample: Sample, side: Side) -> NDArray:
    """Gains of a over b minus the critical difference, and the critical difference minus the gaps of the others to b.

    All are positive if Nemenyi's test separates every one of a from b, and no other method of the field.
    """
    ranks, needed = _mean_ranks(sample, side), critical_difference(len(side.field), sample.count)
    others = sorted(set(side.field) - {*side.a, *side.b})
    behind = ranks[..., list(side.b)].min(axis=-1, keepdims=True) - ranks[..., others]
    return np.concatenate([gains_of(ranks, side) - needed, needed - np.abs(behind)], axis=-1)


@measure(RANKS)
def unseparated(sample: Sample, side: Side) -> NDArray:
    """The critical difference minus the absolute difference of the mean ranks of each pair.

    All are positive if Nemenyi's test separates none of the pairs.
    """
    gaps = np.abs(gains_of(_mean_ranks(sample, side), side))
    return critical_difference(len(side.field), sample.count) - gaps


@measure(RANKS, ERROR, EARLY_ERROR)
def rank_growth(sample: Sample, side: Side) -> NDArray:
    """Growth of a's mean rank since a quarter of the budget, averaged over its columns; positive if it worsens."""
    growth = _mean_ranks(sample, side) - _mean_ranks(sample, side, EARLY_ERROR)
    return only(growth[..., list(side.a)].mean(axis=-1))


@measure(RANKS, ERROR, LOSS)
def closer_in_validation(sample: Sample, side: Side) -> NDArray:
    """Absolute difference of the mean ranks of a and b by test error minus that by validation loss."""
    return np.abs(_leads(sample, side, ERROR)) - np.abs(_leads(sample, side, LOSS))


@measure("correlation", ERROR, LOSS)
def rank_agreement(sample: Sample, side: Side) -> NDArray:
    """Correlation over the field between mean ranks by test error and by validation loss, 0 if one is constant."""
    both = [_mean_ranks(sample, side, name)[..., list(side.field)] for name in (ERROR, LOSS)]
    test, validation = (part - part.mean(axis=-1, keepdims=True) for part in both)
    length = np.sqrt((test**2).sum(axis=-1) * (validation**2).sum(axis=-1))
    return only((test * validation).sum(axis=-1) / np.where(length > 0, length, np.inf))


@measure("ranks per decade")
def size_trend(sample: Sample, side: Side) -> NDArray:
    """Slope of the rank on a data set against log10 of its size, of b minus that of a.

    Positive if a improves and b worsens with size; one of the two may be empty.
    """
    x = np.log10(sample.sizes)[..., None]
    ranks = sample.ranks(side.field)
    # slope = cov(x, rank) / var(x), both over data sets; 0 if all sizes are equal
    mean, spread = sample.mean(x), sample.mean(x**2) - sample.mean(x) ** 2
    slopes = (sample.mean(x * ranks) - mean * sample.mean(ranks)) / np.where(spread > 1e-12, spread, np.inf)
    return only(slopes[..., list(side.b)].sum(axis=-1) - slopes[..., list(side.a)].sum(axis=-1))


def _mean_ranks(sample, side, quantity=ERROR):
    """Mean rank over data sets of each column within the field: (..., n_columns), NaN outside it."""
    return sample.mean(sample.ranks(side.field, quantity))


def _leads(sample, side, quantity):
    return leads_of(_mean_ranks(sample, side, quantity), side)


MEASURES |= {  # a lead compares each of a with each of b, a gain compares pairs
    "rank_lead": Measure(compared(_mean_ranks, leads_of), RANKS, (ERROR,), LEADS),  # also of the second and the worst
    "rank_gain": Measure(compared(_mean_ranks, gains_of), RANKS, (ERROR,), PAIRS),
    "rank_gain_majority": Measure(compared(_mean_ranks, gains_of), RANKS, (ERROR,), PAIRS, MAJORITY),
}
