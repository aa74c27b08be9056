"""Measures of claims about DivBO's searches: validation errors, suggestions, ensembles and surrogates."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.claims.measure import (
    LEADS,
    MEASURES,
    PAIRS,
    POINTS,
    RANKS,
    Measure,
    Side,
    gains_of,
    leads_of,
    measure,
)
from bayes_hpo.claims.sample import (
    ALONG,
    AUTOGLUON,
    BETTER,
    ERROR,
    HIGHER,
    MEMBER_ERROR,
    VALIDATION_ERROR,
    Sample,
)
from bayes_hpo.stats import wilcoxon

TAU = "Kendall's tau"
UNITS = dict(zip(HIGHER, ("updates", "updates", "diversity", POINTS, "diversity"), strict=True))


def _signed(sample, side):
    """Wilcoxon's signed ranks of the validation errors, and the sum of their absolute values."""
    gains = np.moveaxis(gains_of(sample.values[VALIDATION_ERROR], side), -1, -2)
    ranks = np.moveaxis(wilcoxon.signed(gains), -1, -2)
    return ranks, np.maximum(np.abs(ranks).sum(axis=-2), 1)


@measure("% of the rank sum", VALIDATION_ERROR, components=PAIRS, terms=_signed)
def validation_signed_ranks(sample: Sample, side: Side) -> NDArray:
    """Sum of Wilcoxon's signed ranks by validation error, positive where a is lower, in percent, of each pair."""
    return 100 * sample.signed_ranks(gains_of(sample.values[VALIDATION_ERROR], side))


@measure(RANKS, VALIDATION_ERROR, components=LEADS)
def validation_rank_lead(sample: Sample, side: Side) -> NDArray:
    """Difference b - a of the mean ranks by validation error, for each of a with each of b."""
    return _validation_leads(sample, side, VALIDATION_ERROR)


@measure(RANKS, VALIDATION_ERROR, *ALONG)
def validation_rank_leads_along(sample: Sample, side: Side) -> NDArray:
    """`validation_rank_lead` after 100, 150, 200 and all 250 trials."""
    return np.concatenate([_validation_leads(sample, side, name) for name in (*ALONG, VALIDATION_ERROR)], axis=-1)


@measure(POINTS, VALIDATION_ERROR, f"{VALIDATION_ERROR}_150", components=PAIRS)
def head_start(sample: Sample, side: Side) -> NDArray:
    """Hodges-Lehmann difference of b's validation error at the end and a's after 150 trials, of each pair.

    It is positive if a needs only 150 of 250 trials, 1.67 times fewer, to reach what b reaches.
    """
    early, final = sample.values[f"{VALIDATION_ERROR}_150"], sample.values[VALIDATION_ERROR]
    return sample.hodges_lehmann(final[..., list(side.b)] - early[..., list(side.a)])


@measure(POINTS, VALIDATION_ERROR, components=PAIRS)
def validation_gain(sample: Sample, side: Side) -> NDArray:
    """Hodges-Lehmann difference b - a of the validation errors, of each pair."""
    return sample.hodges_lehmann(gains_of(sample.values[VALIDATION_ERROR], side))


@measure(POINTS, MEMBER_ERROR, components=PAIRS)
def member_error_gap(sample: Sample, side: Side) -> NDArray:
    """Hodges-Lehmann difference b - a of the mean validation errors of an ensemble's members, of each pair."""
    return sample.hodges_lehmann(gains_of(sample.values[MEMBER_ERROR], side))


@measure("share of random configurations", BETTER)
def share_of_random_that_is_worse(sample: Sample, side: Side) -> NDArray:
    """Share of random configurations with a higher error than the mean suggestion of a, averaged over searches."""
    return sample.mean(sample.values[BETTER][..., list(side.a)].mean(axis=-1, keepdims=True))


@measure(POINTS, ERROR, AUTOGLUON)
def autogluon_gap(sample: Sample, side: Side) -> NDArray:
    """Hodges-Lehmann difference of AutoGluon's test errors and those of each of a."""
    return sample.hodges_lehmann((sample.values[AUTOGLUON] - sample.values[ERROR])[..., list(side.a)])


@measure(TAU, "tau_lightgbm", "tau_performance")
def diversity_tau_lead(sample: Sample, side: Side) -> NDArray:
    """Tau of LightGBM's diversity surrogate minus that of the performance surrogate, on the same searches."""
    return _taus(sample, side, "tau_lightgbm", "tau_performance")


@measure(TAU, "tau_lightgbm", "tau_xgboost", "tau_forest")
def diversity_tau_order(sample: Sample, side: Side) -> NDArray:
    """Tau of LightGBM's diversity surrogate minus XGBoost's, and XGBoost's minus the forest's."""
    pairs = (("tau_lightgbm", "tau_xgboost"), ("tau_xgboost", "tau_forest"))
    return np.concatenate([_taus(sample, side, *pair) for pair in pairs], axis=-1)


def _taus(sample, side, first, second):
    """Difference of two taus, averaged over data sets and the columns of a: (..., 1)."""
    differences = sample.values[first] - sample.values[second]
    return sample.mean(differences[..., list(side.a)].mean(axis=-1, keepdims=True))


def _validation_leads(sample, side, quantity):
    """Differences b - a of mean ranks within the field."""
    return leads_of(sample.mean(sample.ranks(side.field, quantity)), side)


def _excess_of(name: str) -> Callable[[Sample, Side], NDArray]:
    """The measure of the excess of a's run statistic over b's, averaged over data sets, of each pair."""
    return lambda sample, side: -sample.mean(gains_of(sample.values[name], side))


MEASURES |= {f"{name}_excess": Measure(_excess_of(name), unit, (name,), PAIRS) for name, unit in UNITS.items()}
