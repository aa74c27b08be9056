"""The measures of claims, registered by name: functions of a Sample and of the positions of the compared columns."""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.claims import divbo_measures, rank_measures  # noqa: F401  their measures are registered too
from bayes_hpo.claims.measure import (
    EACH_TWO,
    LEADS,
    MEASURES,
    PAIRS,
    PERCENT_OF_SETS,
    POINTS,
    RANKS,
    SHARE,
    WIN_FREQUENCY,
    Measure,
    Side,
    compared,
    gains_of,
    leads_of,
    measure,
)
from bayes_hpo.claims.sample import (
    CHOICES,
    EARLY_ERROR,
    EARLY_LOSS,
    ERROR,
    LATE_RANK,
    LOSS,
    VOTE_LOSS,
    WORSE,
    Sample,
)
from bayes_hpo.stats import wilcoxon
from bayes_hpo.stats.ranks import comparable

MEANS = {  # run statistic -> unit; its mean over searches is a measure of the same name
    "zone_distance": "decades",
    "choice_distance": "decades",
    "length": "decades",
    "plateau_distance": "trials",
    "attained_dt": SHARE,
    "pair_gain": POINTS,
    "pair_shift": "decades",
    "slot_distance": "decades",
    "early_wins_over_esmbo": WIN_FREQUENCY,
    "half_wins_over_smbo": WIN_FREQUENCY,
    "late_wins_over_ers": WIN_FREQUENCY,
    "late_wins_over_smbo": WIN_FREQUENCY,
}
STAYS = 0.05  # points by which a test error that "stays" may fall: not visible in one printed decimal


def _wins(sample, side):
    """1 where a is better and -1 where it is worse; and the number of data sets."""
    return np.sign(comparable(gains_of(sample.values[ERROR], side))), sample.count


def _signed(sample, side):
    """Wilcoxon's signed ranks, and the sum of their absolute values."""
    gains = np.moveaxis(gains_of(sample.values[ERROR], side), -1, -2)
    ranks = np.moveaxis(wilcoxon.signed(gains), -1, -2)
    return ranks, np.maximum(np.abs(ranks).sum(axis=-2), 1)


@measure(PERCENT_OF_SETS, components=PAIRS, terms=_wins)
def net_wins(sample: Sample, side: Side) -> NDArray:
    """Data sets on which a is better minus those on which it is worse, in percent of all, of each pair."""
    return 100 * sample.mean(np.sign(comparable(gains_of(sample.values[ERROR], side))))


@measure("% of the rank sum", components=PAIRS, terms=_signed)
def signed_ranks(sample: Sample, side: Side) -> NDArray:
    """Wilcoxon's ranks of the data sets on which a is better minus those on which it is worse, of each pair.

    In percent of the sum of all ranks, zeros dropped: the statistic of Wilcoxon's test.
    """
    return 100 * sample.signed_ranks(gains_of(sample.values[ERROR], side))


@measure(POINTS, components=PAIRS)
def hodges_lehmann(sample: Sample, side: Side) -> NDArray:
    """Hodges-Lehmann difference b - a of the mean errors over data sets, of each pair."""
    return sample.hodges_lehmann(gains_of(sample.values[ERROR], side))


@measure(POINTS, VOTE_LOSS, components=PAIRS)
def vote_gain(sample: Sample, side: Side) -> NDArray:
    """Hodges-Lehmann difference b - a of the validation errors of ensembles, of each pair."""
    return sample.hodges_lehmann(gains_of(sample.values[VOTE_LOSS], side))


def _worse(sample, side):
    """1 where only b is significantly worse and -1 where only a is; and the number of data sets."""
    return gains_of(sample.values[WORSE], side), sample.count


@measure(PERCENT_OF_SETS, WORSE, components=PAIRS, terms=_worse)
def worse_gain(sample: Sample, side: Side) -> NDArray:
    """Data sets on which b is significantly worse than the best minus those on which a is, in percent, of each pair."""
    return 100 * sample.mean(gains_of(sample.values[WORSE], side))


def _best(sample, side):
    """1 where a, and not b, has the lowest error of the field, -1 where only b has it; and the number of data sets."""
    errors = comparable(sample.values[ERROR])
    best = errors == errors[..., list(side.field)].min(axis=-1, keepdims=True)
    return -gains_of(best.astype(float), side), sample.count


@measure(PERCENT_OF_SETS, components=PAIRS, terms=_best)
def best_gain(sample: Sample, side: Side) -> NDArray:
    """Data sets on which a has the lowest error of the field minus those on which b has it, of each pair.

    In percent of all data sets.
    """
    return 100 * sample.mean(_best(sample, side)[0])


@measure(SHARE, *CHOICES)
def choice_lead(sample: Sample, side: Side) -> NDArray:
    """Shares of a's searches that end with random forest, and with the RBF SVM, minus that of every other learner."""
    shares = {name: _mean(sample, sample.values[name], side) for name in CHOICES}
    leading = [shares.pop("chosen_rf"), shares.pop("chosen_svm")]
    return np.concatenate([lead - other for lead in leading for other in shares.values()], axis=-1)


@measure(POINTS, components=EACH_TWO)
def median_spread(sample: Sample, side: Side) -> NDArray:
    """Differences of the median errors for all pairs of a and b together; all are small if no two are far apart."""
    medians = sample.median(sample.values[ERROR][..., list(side.a + side.b)])
    first, second = np.triu_indices(medians.shape[-1], k=1)
    return medians[..., first] - medians[..., second]


@measure(POINTS, ERROR, LOSS)
def gap(sample: Sample, side: Side) -> NDArray:
    """Test error minus validation loss of a, averaged over its columns: Hodges-Lehmann centre over data sets."""
    return _centre(sample, sample.values[ERROR] - sample.values[LOSS], side)


@measure(POINTS, ERROR, LOSS, EARLY_ERROR, EARLY_LOSS)
def gap_growth(sample: Sample, side: Side) -> NDArray:
    """Growth of the `gap` since a quarter of the budget."""
    early = sample.values[EARLY_ERROR] - sample.values[EARLY_LOSS]
    return _centre(sample, sample.values[ERROR] - sample.values[LOSS] - early, side)


@measure(POINTS, ERROR, EARLY_ERROR)
def error_growth(sample: Sample, side: Side) -> NDArray:
    """Growth of a's test error since a quarter of the budget, averaged over units and columns."""
    return _mean(sample, sample.values[ERROR] - sample.values[EARLY_ERROR], side)


@measure(POINTS, LOSS, EARLY_LOSS)
def late_gain(sample: Sample, side: Side) -> NDArray:
    """Decrease in a's validation loss after a quarter of the budget, averaged over units and columns."""
    return _mean(sample, sample.values[EARLY_LOSS] - sample.values[LOSS], side)


@measure(POINTS, ERROR, EARLY_ERROR, LOSS, EARLY_LOSS)
def late_overfit(sample: Sample, side: Side) -> NDArray:
    """`late_gain`, and `error_growth` plus STAYS."""
    return np.concatenate([late_gain(sample, side), error_growth(sample, side) + STAYS], axis=-1)


@measure(RANKS, LATE_RANK, components=LEADS)
def late_rank_lead(sample: Sample, side: Side) -> NDArray:
    """Difference b - a of the expected ranks over the last tenth of the trials, for each of a with each of b."""
    return leads_of(sample.mean(sample.values[LATE_RANK]), side)


@measure(WIN_FREQUENCY, *(f"late_wins_over_{other}" for other in ("ers", "smbo", "rs")))
def late_wins(sample: Sample, side: Side) -> NDArray:
    """Wins of each of a over ERS, SMBO and RS beyond half of the data sets, over the last tenth of the trials."""
    others = (f"late_wins_over_{other}" for other in ("ers", "smbo", "rs"))
    return np.concatenate([sample.mean(sample.values[name])[..., list(side.a)] for name in others], axis=-1)


@measure(WIN_FREQUENCY, "late_wins_over_smbo")
def half_of_the_wins(sample: Sample, side: Side) -> NDArray:
    """Wins of b over SMBO beyond half of the data sets, and those of a minus half of b's, in the last tenth of trials.

    Both are positive if b wins, and a wins by more than half as much.
    """
    wins = sample.mean(sample.values["late_wins_over_smbo"])
    a, b = wins[..., list(side.a)], wins[..., list(side.b)]
    return np.concatenate([b, a - b / 2], axis=-1)


def _mean(sample, values, side):
    """Mean over data sets and the columns of a: (..., n_datasets, n_columns) -> (..., 1)."""
    return sample.mean(values[..., list(side.a)].mean(axis=-1, keepdims=True))


def _centre(sample, gaps, side):
    """Hodges-Lehmann centre of the means over the columns of a: (..., n_datasets, n_columns) -> (..., 1)."""
    return sample.hodges_lehmann(gaps[..., list(side.a)].mean(axis=-1, keepdims=True))


def _medians(sample, side):
    """Median error over data sets, for each column (..., n_columns)."""
    return sample.median(sample.values[ERROR])


def _mean_of(name):
    """The measure that is the mean of a run statistic over the searches of a."""
    return lambda sample, side: _mean(sample, sample.values[name], side)


MEASURES |= {  # a lead compares each of a with each of b, a gain compares pairs
    "median_lead": Measure(compared(_medians, leads_of), POINTS, (ERROR,), LEADS),
    "median_gain": Measure(compared(_medians, gains_of), POINTS, (ERROR,), PAIRS),
    **{name: Measure(_mean_of(name), unit, (name,)) for name, unit in MEANS.items()},
}
