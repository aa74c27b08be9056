"""Laws of the hyperparameters of highest likelihood."""

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.gp.maximum_likelihood import AtMean, MaximumLikelihood
from bayes_hpo.surrogates.gp.priors import Uniform
from bayes_hpo.surrogates.gp.regression import cholesky, noisy
from bayes_hpo.surrogates.gp.stationary import Matern32
from tests.configured import configured

FIT = MaximumLikelihood(restarts=4)
AUTHORS = (-10, -10, -10, -10), (10, 10, 5, 5)  # bounds of the logarithms in the code of Lacoste et al. 2014


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.random((20, 2))
    return X, np.sin(6 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(20)


def _bounds(model, X, y):
    """Bounds (3 + p, 2) that a state must keep."""
    priors = [parameter.prior for parameter in model.kernel.parameters(X.shape[1])]
    own = [(max(prior.low, 1e-3), min(prior.high, 1e3)) for prior in priors]
    return np.array([(y.min(), y.max()), *[(1e-6 * y.var(), 1e4 * y.var())] * 2, *own])


def test_no_state_within_the_bounds_has_a_higher_likelihood(model_of, kernel, data):
    X, y = data
    rng, model, density = np.random.default_rng(1), model_of(kernel), model_of(kernel).density(X, y)
    (found,), bounds = FIT.fresh(model, X, y, rng), _bounds(model, X, y)
    np.testing.assert_array_less(bounds[:, 0] * (1 - 1e-9) - 1e-12, found)
    np.testing.assert_array_less(found, bounds[:, 1] * (1 + 1e-9))
    others = [rng.uniform(*bounds[:1].T, (100, 1)), np.exp(rng.uniform(*np.log(bounds[1:].T), (100, len(found) - 1)))]
    near = np.clip(found * np.exp(0.1 * rng.standard_normal((50, len(found)))), *bounds.T)
    best, _ = density.likelihood_and_gradient(found)
    assert best >= max(density.likelihood_and_gradient(state)[0] for state in (*np.hstack(others), *near)) - 1e-6


def test_the_gradient_vanishes_inside_the_bounds(model_of, kernel, data):
    X, y = data
    (found,) = FIT.fresh(model_of(kernel), X, y, np.random.default_rng(1))
    bounds = _bounds(model_of(kernel), X, y)
    inside = (found > bounds[:, 0] * (1 + 1e-6)) & (found < bounds[:, 1] * (1 - 1e-6))
    _, gradient = model_of(kernel).density(X, y).likelihood_and_gradient(found)
    assert inside.sum() >= 2
    assert np.abs(gradient * found)[inside].max() < 1e-2  # per e-fold, in units of the log likelihood


def test_the_bounds_do_not_hold_back_a_straight_line(model_of):
    """To a stationary process it is the slope of something far larger and longer than what is seen."""
    X, model = np.linspace(0, 1, 40)[:, None], model_of(Matern32(Uniform(0.0, 100.0)))
    y = X[:, 0] + 0.01 * np.random.default_rng(0).standard_normal(40)
    (found,) = FIT.fresh(model, X, y, np.random.default_rng(1))
    _, gradient = model.density(X, y).likelihood_and_gradient(found)
    assert np.abs(gradient * found).max() < 1e-2
    assert found[1] > 100 * y.var()


@pytest.mark.parametrize("lengths", [[0.1, 0.5], [1.2, 0.3]])
def test_the_lengths_of_a_drawn_function_are_found_again(model_of, lengths):
    rng, model = np.random.default_rng(0), model_of()
    X = rng.random((80, 2))
    K = noisy(model.kernel.pairs(np.array(lengths), model.kernel.prepare(X)), 80, 2.0, 1e-3)
    y = 5 + np.tril(cholesky(K)) @ rng.standard_normal(80)
    (found,) = FIT.fresh(model, X, y, rng)
    np.testing.assert_allclose(np.log(found[3:] / lengths), 0, atol=np.log(2))


def test_more_restarts_find_no_less(model_of, data):
    density = model_of().density(*data)
    heights = [
        density.likelihood_and_gradient(MaximumLikelihood(r).fresh(model_of(), *data, np.random.default_rng(2))[0])[0]
        for r in (1, 2, 5)
    ]
    assert heights == sorted(heights)


def test_an_earlier_state_does_not_matter(model_of, data):
    fresh = FIT.fresh(model_of(), *data, np.random.default_rng(3))
    continued = FIT.continued(np.full(5, np.nan), model_of(), *data, np.random.default_rng(3))
    assert np.array_equal(fresh, continued)
    assert fresh.shape == (1, 5)


@pytest.mark.parametrize("y", [[0.3], [0.3] * 6, [0.0] * 9], ids=len)
def test_equal_values_do_not_break_it(model_of, y):
    X = np.random.default_rng(4).random((len(y), 2))
    state = FIT.fresh(model_of(), X, np.array(y), np.random.default_rng(5))
    assert np.isfinite(state).all()


def test_duplicated_points_do_not_break_it(model_of):
    X, y = np.repeat([[0.5, 0.5], [0.1, 0.2]], 10, axis=0), np.arange(20.0)
    assert np.isfinite(FIT.fresh(model_of(), X, y, np.random.default_rng(5))).all()


def test_at_the_mean_no_state_of_that_mean_has_a_higher_likelihood(model_of, data):
    X, y = data
    rng, density = np.random.default_rng(1), model_of().density(X, y)
    (state,) = AtMean(8).fresh(model_of(), X, y, rng)
    assert state[0] == y.mean()
    best, _ = density.likelihood_and_gradient(state)
    near = state[1:] * np.exp(0.3 * rng.standard_normal((100, 4)))
    far = np.exp(rng.uniform(*AUTHORS, (500, 4)))
    assert best >= max(density.likelihood_and_gradient(np.array([y.mean(), *others]))[0] for others in (*near, *far))


@pytest.mark.parametrize("seed", range(6))
def test_at_the_mean_one_ascent_ends_where_the_likelihood_rises_only_beyond_the_bounds(model_of, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((20, 2))
    y = np.sin(6 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(20)
    (state,) = AtMean(1).fresh(model_of(), X, y, rng)
    density, (low, high) = model_of().density(X, y), np.array(AUTHORS)
    value, gradient = density.likelihood_and_gradient(state)
    place, slope = np.log(state[1:]), (gradient * state)[1:]
    least = 0.25  # per e-fold, in units of the log likelihood: an ascent onto a plateau ends early
    assert (np.abs(slope) < least)[(place > low + 1e-6) & (place < high - 1e-6)].all()
    assert (slope[place <= low + 1e-6] < least).all()
    assert (slope[place >= high - 1e-6] > -least).all()
    assert value > density.likelihood_and_gradient(model_of().start(X, y))[0]


def test_at_the_mean_one_ascent_draws_nothing_and_moves_with_the_values(model_of, data):
    X, y = data
    (state,), (other,) = (AtMean(1).fresh(model_of(), X, y, np.random.default_rng(seed)) for seed in (1, 2))
    np.testing.assert_array_equal(state, other)
    (moved,) = AtMean(1).fresh(model_of(), X, y + 3, np.random.default_rng(1))
    np.testing.assert_allclose(moved, state + np.array([3, 0, 0, 0, 0]), rtol=1e-3)


def test_at_the_mean_the_bounds_are_those_of_the_authors_code(model_of):
    """Noise of a pure function is driven to e^-10, the length of a coordinate that has no effect to e^5."""
    X = np.random.default_rng(0).random((40, 2))
    (state,) = AtMean(1).fresh(model_of(), X, np.sin(6 * X[:, 0]), np.random.default_rng(1))
    np.testing.assert_allclose(np.log(state[[2, 4]]), [-10, 5])


def test_no_climb_is_one_sentence():
    with pytest.raises(UserError, match="restarts=0 must be at least 1"):
        configured(MaximumLikelihood, "hyperparameters", restarts=0)
