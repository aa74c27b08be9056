"""Laws of the priors, with SciPy as witness."""

import math

import numpy as np
import pytest
from scipy.stats import lognorm

from bayes_hpo.errors import UserError
from bayes_hpo.gp.priors import Horseshoe, SquaredLog, Uniform

PRIORS = [Uniform(0.5, 2.0), SquaredLog(), Horseshoe(0.1)]


@pytest.mark.parametrize("prior", PRIORS, ids=lambda prior: type(prior).__name__)
def test_the_density_is_positive_within_the_bounds_and_zero_beyond(prior):
    inside = np.clip(np.logspace(-6, 6, 50), np.nextafter(prior.low, 3), prior.high)
    assert all(math.isfinite(prior.log_density(x)) for x in inside.tolist())
    outside = [-1.0, prior.low, *([] if math.isinf(prior.high) else [np.nextafter(prior.high, 3)])]
    assert [prior.log_density(x) for x in outside] == [-math.inf] * len(outside)


def test_the_squared_log_is_the_log_normal_density_times_its_argument():
    ours, theirs = ([f(x) for x in (0.01, 0.5, 1.0, 30.0)] for f in (SquaredLog().log_density, lognorm(1).logpdf))
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs) + np.diff(np.log([0.01, 0.5, 1.0, 30.0])), rtol=1e-12)


def test_the_horseshoe_is_spearmints():
    for noise in (1e-6, 0.1, 5.0):
        expected = math.log(math.log(1 + (0.1 / noise) ** 2))  # docs/decisions.md, Spearmint
        assert Horseshoe(0.1).log_density(noise) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Uniform(2.0, 1.0), "0 <= low < high, not low=2 and high=1"),
        (lambda: Uniform(1.0, 1.0), "0 <= low < high, not low=1 and high=1"),
        (lambda: Uniform(-1.0, 1.0), "0 <= low < high, not low=-1"),
        (lambda: Horseshoe(0.0), "scale above 0, not 0"),
    ],
)
def test_a_prior_that_is_none_is_one_sentence(make, sentence):
    with pytest.raises(UserError, match=sentence):
        make()
