"""Laws of the network with three penalties: its gradient, and what penalties and units do."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize
from scipy.stats import kstest, uniform
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.preprocessing import scale

from bayes_hpo.learners import mlp
from bayes_hpo.learners.mlp import PENALTIES, Mlp, divided, joined, loss_and_gradient

SIZES = [4, 5, 3, 3]
FREE = {"penalty_1": 1e-5, "penalty_2": 1e-5, "penalty_3": 1e-5, "units_1": 10, "units_2": 10}


@pytest.fixture(scope="module")
def rows():
    X, y = load_iris(return_X_y=True)
    return scale(X), y


def fit(configuration, rows, max_iter=200):
    return Mlp(max_iter).fit(FREE | configuration, *rows, np.random.default_rng(0))


def test_the_gradient_is_that_of_finite_differences(rows):
    rng, penalties = np.random.default_rng(0), np.array([0.1, 0.02, 0.3])
    start = rng.normal(size=sum((a + 1) * b for a, b in pairwise(SIZES)))

    def value(z):
        return loss_and_gradient(divided(z, SIZES), *rows, penalties)[0]

    def gradient(z):
        return joined(loss_and_gradient(divided(z, SIZES), *rows, penalties)[1])

    assert check_grad(value, gradient, start) < 1e-5
    np.testing.assert_array_equal(joined(divided(start, SIZES)), start)


def test_the_loss_is_the_mean_log_likelihood_and_each_penalty_its_layers_squares(rows):
    layers = divided(np.random.default_rng(1).normal(size=5 * 5 + 6 * 3 + 4 * 3), SIZES)
    plain = loss_and_gradient(layers, *rows, np.zeros(3))[0]
    for place in range(3):
        penalties = np.eye(3)[place]
        more = loss_and_gradient(layers, *rows, penalties)[0] - plain
        assert more == pytest.approx((layers[place][0] ** 2).sum())
    chances = fit({}, rows).predict_proba(rows[0])
    np.testing.assert_allclose(chances.sum(axis=1), 1)


def test_it_learns_and_high_penalties_leave_the_shares_of_the_classes(rows):
    assert (fit({}, rows).predict(rows[0]) == rows[1]).mean() > 0.98
    chances = fit(dict.fromkeys(PENALTIES, 100.0), rows).predict_proba(rows[0])
    np.testing.assert_allclose(chances, np.full((150, 3), 1 / 3), atol=0.01)


@pytest.mark.parametrize("place", range(3))
def test_a_penalty_shrinks_the_weights_of_its_own_layer(place, rows):
    norms = [[(W**2).sum() for W, _ in fit(chosen, rows).layers] for chosen in ({}, {PENALTIES[place]: 1.0})]
    assert norms[1][place] < norms[0][place] / 10
    assert all(more > norms[1][place] for layer, more in enumerate(norms[1]) if layer != place)


def test_each_layer_is_shrunk_by_its_own_penalty_alone(rows):
    """At the optimum the gradient of the likelihood by W_l is -2 lambda_l W_l, and zero by biases."""
    penalties = np.array([0.02, 0.003, 0.008])
    model = fit(dict(zip(PENALTIES, penalties, strict=True)) | {"units_1": 4, "units_2": 3}, rows, max_iter=20_000)
    assert not model.capped
    _, gradient = loss_and_gradient(model.layers, rows[0], rows[1], np.zeros(3))
    for penalty, (W, _), (by_weights, by_biases) in zip(penalties, model.layers, gradient, strict=True):
        np.testing.assert_allclose(by_weights, -2 * penalty * W, atol=2e-4)
        np.testing.assert_allclose(by_biases, 0, atol=2e-4)
        assert np.abs(2 * penalty * W).max() > 2e-3


def test_more_iterations_lower_the_loss_until_it_has_converged(rows):
    penalties = np.full(3, 1e-3)
    given = dict(zip(PENALTIES, penalties, strict=True))
    models = [fit(given, rows, max_iter) for max_iter in (1, 2, 5, 20, 100, 20_000)]
    losses = [loss_and_gradient(model.layers, *rows, penalties)[0] for model in models]
    assert (np.diff(losses) < 0).all()
    assert [model.capped for model in models] == [True] * 5 + [False]
    assert [Mlp(1).unconverged(model) for model in models] == [1] * 5 + [0]


def test_initial_weights_are_uniform_within_the_bounds_of_their_layer(rows, monkeypatch):
    starts = []
    monkeypatch.setattr(mlp, "minimize", lambda f, z, **how: starts.append(z) or minimize(f, z, **how))
    sizes = [4, 40, 90, 3]
    for seed in (0, 0, 1):
        Mlp(1).fit(FREE | {"units_1": 40, "units_2": 90}, *rows, np.random.default_rng(seed))
    np.testing.assert_array_equal(starts[0], starts[1])
    assert not np.isclose(starts[0], starts[2])[: 4 * 40].any()
    for (W, biases), (inputs, outputs) in zip(divided(starts[0], sizes), pairwise(sizes), strict=True):
        bound = np.sqrt(6 / (inputs + outputs))
        assert W.shape == (inputs, outputs)
        assert kstest(W.ravel(), uniform(-bound, 2 * bound).cdf).pvalue > 1e-3
        assert 0.9 * bound < np.abs(W).max() <= bound
        assert W.var() == pytest.approx(2 / (inputs + outputs), rel=0.2)
        assert not biases.any()


def test_units_are_those_of_the_configuration_and_the_start_is_the_seeds(rows):
    model = fit({"units_1": 7, "units_2": 2}, rows, max_iter=1)
    assert [weights.shape for weights, _ in model.layers] == [(4, 7), (7, 2), (2, 3)]
    assert model.capped
    again = fit({"units_1": 7, "units_2": 2}, rows, max_iter=1)
    np.testing.assert_array_equal(model.layers[0][0], again.layers[0][0])


def test_classes_keep_their_numbers():
    X, y = load_breast_cancer(return_X_y=True)
    model = fit({}, (scale(X), y + 3))
    assert set(model.predict(scale(X))) == {3, 4}
