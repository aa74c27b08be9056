"""Laws of the priors, with SciPy as witness."""

import math

import numpy as np
import pytest
from scipy.stats import lognorm

from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.gp.priors import Horseshoe, LogNormal, OfRoot, SquaredLog, Uniform

PRIORS = [
    Uniform(0.5, 2.0),
    SquaredLog(),
    Horseshoe(0.1),
    LogNormal(0.0, 1.0),
    LogNormal(0.0, 1.0, 1e-3, 1e2),
    OfRoot(LogNormal(0.0, 1.0, 1e-1, 1e1)),
]


@pytest.mark.parametrize("prior", PRIORS, ids=lambda prior: type(prior).__name__)
def test_the_density_is_positive_within_the_bounds_and_zero_beyond(prior):
    inside = np.clip(np.logspace(-6, 6, 50), prior.low * (1 + 1e-9), prior.high * (1 - 1e-9))
    assert all(math.isfinite(prior.log_density(x)) for x in inside.tolist())
    outside = [-1.0, prior.low * (1 - 1e-9), *([] if math.isinf(prior.high) else [prior.high * (1 + 1e-9)])]
    assert [prior.log_density(x) for x in outside] == [-math.inf] * len(outside)


def test_the_squared_log_is_the_log_normal_density_times_its_argument():
    ours, theirs = ([f(x) for x in (0.01, 0.5, 1.0, 30.0)] for f in (SquaredLog().log_density, lognorm(1).logpdf))
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs) + np.diff(np.log([0.01, 0.5, 1.0, 30.0])), rtol=1e-12)


def test_the_horseshoe_is_spearmints():
    for noise in (1e-6, 0.1, 5.0):
        expected = math.log(math.log(1 + (0.1 / noise) ** 2))  # docs/decisions.md, Spearmint
        assert Horseshoe(0.1).log_density(noise) == pytest.approx(expected, rel=1e-10)


def test_the_log_normal_prior_is_scipys_cut_to_its_bounds():
    prior = LogNormal(0.3, 0.7, low=0.01, high=50.0)
    for x in (0.011, 0.2, 1.0, 7.0, 50.0):
        whole = lognorm(0.7, scale=math.exp(0.3)).logpdf(x) - lognorm(0.7, scale=math.exp(0.3)).logpdf(1.0)
        assert prior.log_density(x) - prior.log_density(1.0) == pytest.approx(whole, rel=1e-12, abs=1e-12)
    assert {prior.log_density(x) for x in (-1.0, 0.0, 0.01, 50.1)} == {-math.inf}


def test_the_prior_of_a_root_is_that_of_the_variance():
    """By change of variables: a root log-normal(m, s) is a variance log-normal(2 m, 2 s)."""
    root, variance = OfRoot(LogNormal(0.3, 0.7, 0.1, 10.0)), LogNormal(0.6, 1.4, 0.01, 100.0)
    for x in (0.011, 0.5, 3.0, 99.0):
        ours, theirs = (prior.log_density(x) - prior.log_density(1.0) for prior in (root, variance))
        assert ours == pytest.approx(theirs, rel=1e-12)
    assert {root.log_density(x) for x in (-1.0, 0.0, 0.009, 101.0)} == {-math.inf}
    assert (root.low, root.high) == pytest.approx((0.01, 100.0))


@pytest.mark.parametrize(
    ("kind", "settings", "sentence"),
    [
        (Uniform, {"low": 2.0, "high": 1.0}, "low < high, not low=2 and high=1"),
        (Uniform, {"low": 1.0, "high": 1.0}, "low < high, not low=1 and high=1"),
        (Uniform, {"low": 0.0, "high": math.inf}, "prior.high=inf must be below inf"),
        (Uniform, {"low": -1.0, "high": 1.0}, "prior.low=-1 must be at least 0"),
        (LogNormal, {"mean": 0.0, "deviation": 0.0}, "prior.deviation=0 must be above 0"),
        (LogNormal, {"mean": 0.0, "deviation": 1.0, "low": 2.0, "high": 1.0}, "not low=2 and high=1"),
        (Horseshoe, {"scale": 0.0}, "prior.scale=0 must be above 0"),
    ],
)
def test_an_invalid_prior_is_one_sentence(built, kind, settings, sentence):
    with pytest.raises(UserError, match=sentence):
        built(kind, "prior", **settings)
