"""Laws of Gaussian-process regression, with scikit-learn and SciPy as witnesses."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from bayes_hpo.errors import Fault
from bayes_hpo.gp.kernels import Matern52
from bayes_hpo.gp.regression import NUGGET, cholesky, condition, log_likelihood

KERNEL = Matern52(1.7, np.array([0.4, 0.9]))


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.random((30, 2))
    return X, np.sin(6 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(30)


def test_posterior_equals_scikit_learn(data):
    X, y = data
    noise, mean = 0.01, 0.3
    witness = GaussianProcessRegressor(
        ConstantKernel(1.7) * Matern([0.4, 0.9], nu=2.5), alpha=noise + NUGGET * 1.7, optimizer=None
    ).fit(X, y - mean)
    points = np.random.default_rng(1).random((50, 2))
    expected_mean, expected_deviation = witness.predict(points, return_std=True)
    found_mean, found_variance = condition(X, y, kernel=KERNEL, mean=mean, noise=noise).moments(points)
    np.testing.assert_allclose(found_mean, expected_mean + mean, atol=1e-8)
    np.testing.assert_allclose(found_variance, expected_deviation**2 + NUGGET * 1.7, atol=1e-8)


def test_gradients_equal_finite_differences(data):
    X, y = data
    posterior = condition(X, y, kernel=KERNEL, mean=0.3, noise=0.01)
    points, step = np.random.default_rng(2).random((7, 2)), 1e-5
    mean, variance, mean_gradient, variance_gradient = posterior.moments_and_gradients(points)
    np.testing.assert_array_equal((mean, variance), posterior.moments(points))
    for axis, e in enumerate(step * np.eye(2)):
        above, below = np.array(posterior.moments(points + e)), np.array(posterior.moments(points - e))
        numeric = (above - below) / (2 * step)
        np.testing.assert_allclose(mean_gradient[:, axis], numeric[0], rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(variance_gradient[:, axis], numeric[1], rtol=1e-6, atol=1e-7)


def test_log_likelihood_equals_scipy(data):
    X, y = data
    K = KERNEL(X, X) + 0.01 * np.eye(30)
    expected = multivariate_normal(np.full(30, 0.3), K).logpdf(y)
    assert log_likelihood(K, y - 0.3) == pytest.approx(expected, rel=1e-10)


def test_log_likelihood_reads_the_lower_triangle_only(data):
    X, y = data
    K = KERNEL(X, X) + 0.01 * np.eye(30)
    assert log_likelihood(np.tril(K), y) == log_likelihood(K, y)


def test_without_noise_the_mean_meets_every_observation(data):
    X, y = data
    mean, variance = condition(X, y, kernel=KERNEL, mean=0.0, noise=0.0).moments(X)
    np.testing.assert_allclose(mean, y, atol=2e-2)
    assert (variance < 1e-4).all()


def test_the_variance_is_that_of_the_latent_function_between_nugget_and_prior(data):
    X, y = data
    points = np.concatenate([X, np.random.default_rng(3).random((200, 2)), X + 1e-9])
    for noise in (0.0, 1e-12, 1.0, 1e6):
        _, variance = condition(X, y, kernel=KERNEL, mean=0.0, noise=noise).moments(points)
        assert (variance >= NUGGET * 1.7).all()
        assert (variance <= (1 + NUGGET) * 1.7).all()


def test_duplicated_points_are_one_point_with_less_noise():
    X, y = np.array([[0.2], [0.7]]), np.array([1.0, -1.0])
    kernel, points = Matern52(1.0, np.array([0.5])), np.linspace(0, 1, 9)[:, None]
    twice = condition(np.repeat(X, 2, axis=0), np.repeat(y, 2), kernel=kernel, mean=0.0, noise=0.2 - NUGGET)
    once = condition(X, y, kernel=kernel, mean=0.0, noise=0.1 - NUGGET)
    np.testing.assert_allclose(twice.moments(points), once.moments(points), rtol=1e-10)


def test_a_singular_covariance_gets_a_jitter():
    ones = np.ones((50, 50))
    L = cholesky(ones)
    np.testing.assert_allclose(L @ L.T, ones, atol=1e-5)


@pytest.mark.parametrize("K", [np.full((3, 3), np.nan), np.diag([1.0, -1.0])])
def test_a_hopeless_covariance_is_one_clear_sentence(K):
    with pytest.raises(Fault, match=r"no Cholesky factor, even with a jitter .*; check that"):
        cholesky(K)
