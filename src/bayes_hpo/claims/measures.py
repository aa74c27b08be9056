"""The measures of claims: functions of a Sample and of the positions of what is compared in it, registered by name."""

import numpy as np
import pandas as pd

from bayes_hpo.claims import rank_measures  # noqa: F401  its measures are registered too
from bayes_hpo.claims.measure import MEASURES, PERCENT_OF_SETS, POINTS, SHARE, Measure, gains_of, measure
from bayes_hpo.claims.sample import CHOICES, EARLY_ERROR, EARLY_LOSS, ERROR, LOSS, WORSE
from bayes_hpo.stats.hodges_lehmann import hodges_lehmann
from bayes_hpo.stats.ranks import comparable

MEANS = {  # trait -> unit of its mean over searches, a measure of its name
    "zone_distance": "decades",
    "choice_distance": "decades",
    "length": "decades",
    "plateau_distance": "trials",
    "chosen_dt": SHARE,
}
STAYS = 0.05  # points by which a test error that "stays" may fall: what a print of one decimal cannot show


@measure(PERCENT_OF_SETS)
def net_wins(sample, side):
    """Data sets on which a is better minus those on which it is worse, in percent of all; the least of the pairs."""
    return 100 * np.sign(comparable(gains_of(sample.values[ERROR], side))).mean(axis=-2).min(axis=-1)


@measure("% of the rank sum")
def signed_ranks(sample, side):
    """Wilcoxon's ranks of the data sets on which a is better minus those on which it is worse; the least of the pairs.

    In percent of the sum of all ranks, zeros dropped: the statistic of his test.
    """
    gains = comparable(np.moveaxis(gains_of(sample.values[ERROR], side), -1, -2))  # (..., n_pairs, n_datasets)
    sizes = pd.DataFrame(np.abs(np.where(gains == 0, np.nan, gains)).reshape(-1, gains.shape[-1]))
    ranks = sizes.rank(axis=1).fillna(0).to_numpy().reshape(gains.shape)
    return 100 * ((np.sign(gains) * ranks).sum(axis=-1) / np.maximum(ranks.sum(axis=-1), 1)).min(axis=-1)


@measure(PERCENT_OF_SETS, WORSE)
def worse_gain_least(sample, side):
    """Data sets on which b is significantly worse than the best minus those on which a is, least of the pairs."""
    return 100 * gains_of(sample.values[WORSE].mean(axis=-2), side).min(axis=-1)


@measure(SHARE, *CHOICES)
def choice_lead(sample, side):
    """Searches of a that end with the rarer of random forest and RBF SVM minus those with the most frequent other."""
    shares = {name: _mean(sample.values[name], side) for name in CHOICES}
    leading = [shares.pop("chosen_rf"), shares.pop("chosen_svm")]
    return np.minimum(*leading) - np.max(list(shares.values()), axis=0)


@measure(POINTS)
def hodges_lehmann_least(sample, side):
    """Hodges and Lehmann's difference b - a of the mean errors over data sets, the least of the pairs."""
    return _shifts(gains_of(sample.values[ERROR], side)).min(axis=-1)


@measure(POINTS)
def hodges_lehmann_farthest(sample, side):
    """The same difference of the pair in which it is farthest from zero: small when no pair differs."""
    shifts = _shifts(gains_of(sample.values[ERROR], side))
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


for _name, _unit in MEANS.items():
    trait(_name, _unit)


def _shifts(gains):
    """Hodges and Lehmann's centre over data sets: (..., n_datasets, n_pairs) -> (..., n_pairs)."""
    return hodges_lehmann(np.moveaxis(gains, -1, -2))


def _mean(values, side):
    """Mean over data sets and columns of a: (..., n_datasets, n_columns) -> (...)."""
    return values[..., list(side.a)].mean(axis=(-2, -1))


def _centre(gaps, side):
    return hodges_lehmann(gaps[..., list(side.a)].mean(axis=-1))
