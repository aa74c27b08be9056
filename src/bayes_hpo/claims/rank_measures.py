"""Measures of claims about ranks among the methods of a field."""

from dataclasses import replace

import numpy as np

from bayes_hpo.claims.measure import RANKS, gains_of, lead_of, measure
from bayes_hpo.claims.sample import EARLY_ERROR, ERROR, LOSS
from bayes_hpo.stats.friedman import critical_chi_square, critical_difference
from bayes_hpo.stats.ranks import win_rate


@measure(RANKS)
def rank_lead(sample, side):
    """Mean rank of the best of b minus that of the worst of a: best, second, worst and two worst are all this."""
    return _rank_lead(sample, side, ERROR)


@measure("% of pairs")
def win_rate_lead(sample, side):
    """Pairwise win rate (tables 3.1, 3.5) of the worst of a minus that of the best of b."""
    rates = win_rate(sample.ranks(side.field).mean(axis=-2), len(side.field))
    return lead_of(-rates, side)


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


@measure("chi-square")
def friedman_excess(sample, side):
    """Friedman's chi-square of the field, not corrected for ties and so rather too low, minus its critical value."""
    ranks, k = sample.ranks(side.field)[..., list(side.field)], len(side.field)
    spread = ((ranks.mean(axis=-2) - (k + 1) / 2) ** 2).sum(axis=-1)
    return 12 * ranks.shape[-2] / (k * (k + 1)) * spread - critical_chi_square(k)


@measure(RANKS)
def separated_alone(sample, side):
    """What the least gain of a over b has above the critical difference, or what the largest of the others lacks to it.

    The lesser of the two: positive when Nemenyi's test separates every one of a from b, and no other of the field.
    """
    needed = critical_difference(len(side.field), sample.sizes.shape[-1])
    others = tuple(set(side.field) - {*side.a, *side.b})
    behind = _rank_lead(sample, replace(side, a=side.b, b=others), ERROR)  # the largest gain of the others, negative
    return np.minimum(_rank_gains(sample, side).min(axis=-1) - needed, needed + behind)


@measure(RANKS, ERROR, EARLY_ERROR)
def rank_growth(sample, side):
    """Growth of the mean rank of a since a quarter of the budget, over its columns: positive when it worsens."""
    growth = (sample.ranks(side.field) - sample.ranks(side.field, EARLY_ERROR)).mean(axis=-2)
    return growth[..., list(side.a)].mean(axis=-1)


@measure(RANKS, ERROR, LOSS)
def closer_in_validation(sample, side):
    """How far the mean ranks of a and b lie apart by test error minus how far they do by validation loss."""
    return np.abs(_rank_lead(sample, side, ERROR)) - np.abs(_rank_lead(sample, side, LOSS))


@measure("correlation", ERROR, LOSS)
def rank_agreement(sample, side):
    """Correlation over the field of the mean rank by test error with that by validation loss, 0 if one is constant."""
    both = [sample.ranks(side.field, name)[..., list(side.field)].mean(axis=-2) for name in (ERROR, LOSS)]
    test, validation = (part - part.mean(axis=-1, keepdims=True) for part in both)
    length = np.sqrt((test**2).sum(axis=-1) * (validation**2).sum(axis=-1))
    return (test * validation).sum(axis=-1) / np.where(length > 0, length, np.inf)


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


def _rank_lead(sample, side, quantity):
    return lead_of(sample.ranks(side.field, quantity).mean(axis=-2), side)


def _rank_gains(sample, side):
    return gains_of(sample.ranks(side.field).mean(axis=-2), side)
