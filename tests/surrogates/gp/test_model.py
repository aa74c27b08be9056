"""Laws of the density of a state, with scikit-learn and SciPy as witnesses."""

import math
import re

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.priors import Horseshoe, SquaredLog, Uniform
from bayes_hpo.surrogates.gp.regression import NUGGET
from bayes_hpo.surrogates.gp.stationary import Matern52

STATES = [[3.0, 4.0, 0.5, 0.4, 1.1], [8.0, 0.2, 3.0, 1.9, 0.1], [8.0, 0.7, 1e-3, 1.9, 0.1]]


@pytest.fixture
def data():
    """Points (12, 2) and values (12,)."""
    rng = np.random.default_rng(0)
    X = rng.random((12, 2))
    return X, 10 * (X**2).sum(axis=1) + rng.standard_normal(12)


@pytest.mark.parametrize("state", STATES)
def test_the_density_is_the_likelihood_times_the_priors(model_of, data, state):
    """Those of docs/decisions.md (Spearmint, D4), written a second time."""
    X, y = data
    mean, amplitude, noise, *lengths = state
    K = amplitude * (Matern(lengths, nu=2.5)(X) + NUGGET * np.eye(12)) + noise * np.eye(12)
    prior = math.log(math.log(1 + (0.1 / noise) ** 2)) - math.log(amplitude) ** 2 / 2
    expected = multivariate_normal(np.full(12, mean), K).logpdf(y) + prior
    assert model_of().density(X, y)(np.array(state)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("state", STATES)
def test_the_likelihood_equals_scikit_learns(model_of, data, state):
    X, y = data
    mean, amplitude, noise, *lengths = state
    kernel = ConstantKernel(amplitude) * Matern(lengths, nu=2.5) + WhiteKernel(noise)
    witness = GaussianProcessRegressor(kernel, alpha=NUGGET * amplitude, optimizer=None).fit(X, y - mean)
    value, gradient = model_of().density(X, y).likelihood_and_gradient(np.array(state))
    expected, by_logarithms = witness.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    assert value == pytest.approx(expected, rel=1e-8)
    assert (gradient * state)[[3, 4, 2]] == pytest.approx(by_logarithms[1:], rel=1e-8)  # the nugget is in the amplitude


@pytest.mark.parametrize("beginning", [[3.0, 4.0, 0.5], [8.0, 0.7, 0.1], [5.0, 2.0, 1e-4]])
def test_the_gradient_of_the_likelihood_equals_finite_differences(
    model_of, kernel, data, beginning, numeric, same_gradients
):
    density = model_of(kernel).density(*data)
    state = np.append(beginning, np.random.default_rng(1).uniform(0.3, 1.7, len(kernel.parameters(2))))
    value, gradient = density.likelihood_and_gradient(state)
    assert value == pytest.approx(density(state) - density.log_prior(state), rel=1e-12)
    relative = numeric(lambda r: density.likelihood_and_gradient(state * (1 + r))[0], np.zeros(len(state)))
    same_gradients(gradient * state, relative)


def test_the_density_is_zero_off_the_support(model_of, data):
    X, y = data
    density, inside = model_of().density(X, y), model_of().start(X, y)
    assert math.isfinite(density(inside))
    for place, value in ((0, y.max() + 1), (0, y.min() - 1), (1, 0), (1, -1), (2, 0), (2, -1), (3, 0), (4, 2.01)):
        outside = inside.copy()
        outside[place] = value
        assert density(outside) == density.log_prior(outside) == -math.inf


def test_the_density_of_values_far_from_zero_keeps_its_digits(model_of, data):
    """y'K^-1 y of the mean would cancel; the values count from their own mean."""
    X, y = data
    density, far = model_of().density(X, y), model_of().density(X, y + 1e6)
    for state in map(np.array, STATES):
        assert far(state + np.eye(5)[0] * 1e6) == pytest.approx(density(state), rel=1e-7)


def test_a_chain_starts_as_spearmints(model_of):
    X, y = np.zeros((3, 4)), np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(model_of().start(X, y), [3.0, y.std() + 1e-4, 1e-3, 1, 1, 1, 1])


def test_a_state_of_other_values_keeps_all_but_a_mean_that_they_rule_out(model_of, data):
    X, y = data
    density = model_of().density(X, y)
    for mean in (y.min() - 3, y.min(), y.mean(), y.max() + 3):
        state = np.array([mean, 4.0, 0.5, 0.4, 1.1])
        within = model_of().within(state, y)
        assert math.isfinite(density(within))
        np.testing.assert_array_equal(within[1:], state[1:])
        assert (within[0] == mean) == math.isfinite(density(state))


@pytest.mark.parametrize("y", [[7.0], [0.0] * 9, [18.6] * 9], ids=len)
def test_equal_values_leave_the_start_on_the_support(model_of, kernel, y):
    X, y = np.random.default_rng(0).random((len(y), 2)), np.array(y)
    assert math.isfinite(model_of(kernel).density(X, y)(model_of(kernel).start(X, y)))


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.5), (1.0, 2.0)])
def test_a_prior_that_leaves_out_where_chains_start_is_one_sentence(low, high):
    with pytest.raises(UserError, match="the prior of length_0 must allow 1, where chains start"):
        Model(Matern52(Uniform(low, high)), SquaredLog(), Horseshoe(0.1), 1e-3)


@pytest.mark.parametrize("noise_start", [0.0, -1.0, 1e-200, 1e200])
def test_a_noise_that_its_prior_leaves_out_is_one_sentence(noise_start):
    told = re.escape(f"noise_start={noise_start:g} must be a noise that its prior allows")
    with pytest.raises(UserError, match=told):
        Model(Matern52(Uniform(0.0, 2.0)), SquaredLog(), Horseshoe(0.1), noise_start)
