"""Laws of Gaussian-process regression, with scikit-learn and SciPy as witnesses."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

from bayes_hpo.errors import RunError
from bayes_hpo.surrogates.gp.priors import Uniform
from bayes_hpo.surrogates.gp.regression import NUGGET, cholesky, condition, log_likelihood_and_gradient, precision
from bayes_hpo.surrogates.gp.stationary import Matern32, Matern52, SquaredExponential

SE, M32, M52 = (kernel(Uniform(0.0, 2.0)) for kernel in (SquaredExponential, Matern32, Matern52))
LENGTHS, AMPLITUDE = [0.4, 0.9], 1.7
POINTS = np.random.default_rng(1).random((50, 2))


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.random((30, 2))
    return X, np.sin(6 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(30)


def _condition(X, y, noise, kernel=M52, lengths=LENGTHS, mean=0.0):
    return condition(kernel, np.array([[mean, AMPLITUDE, noise, *lengths]]), X, y)


@pytest.mark.parametrize(
    ("kernel", "lengths", "witness"),
    [
        (SE, LENGTHS, RBF(LENGTHS)),
        (M32, LENGTHS, Matern(LENGTHS, nu=1.5)),
        (M52, LENGTHS, Matern(LENGTHS, nu=2.5)),
        (M52 * M32, [0.4, 0.9, 1.5, 0.7], Matern(LENGTHS, nu=2.5) * Matern([1.5, 0.7], nu=1.5)),
        (M52 + SE, [0.4, 0.9, 1.5, 0.7], Matern(LENGTHS, nu=2.5) + RBF([1.5, 0.7])),
    ],
    ids=["squared exponential", "matern 3/2", "matern 5/2", "product", "sum"],
)
def test_the_posterior_equals_scikit_learns(data, kernel, lengths, witness):
    X, y = data
    witness = ConstantKernel(AMPLITUDE) * witness + WhiteKernel(0.01)
    peer = GaussianProcessRegressor(witness, alpha=NUGGET * AMPLITUDE, optimizer=None).fit(X, y - 0.3)
    mean, deviation = peer.predict(POINTS, return_std=True)
    ours, variance = _condition(X, y, 0.01, kernel, lengths, mean=0.3).moments(POINTS)
    np.testing.assert_allclose(ours[0], mean + 0.3, atol=1e-8)
    np.testing.assert_allclose(variance[0], deviation**2 - 0.01 + NUGGET * AMPLITUDE, atol=1e-8)  # the latent one's


def test_gradients_of_mean_and_variance_equal_finite_differences(
    posterior_of, smooth_points, kernel, numeric, same_gradients
):
    posterior = posterior_of(kernel)
    points = smooth_points(posterior, 7, seed=1)
    mean, variance, pullback = posterior.moments_and_pullback(points)
    np.testing.assert_allclose((mean, variance), posterior.moments(points), rtol=1e-9)
    moved = numeric(lambda shift: np.array(posterior.moments(points + shift)), np.zeros(2))  # (d, 2, s, m)
    none = np.zeros((3, 7))
    for sample in range(3):
        one = none.copy()
        one[sample] = 1
        same_gradients(pullback(one, none), moved[:, 0, sample].T)
        same_gradients(pullback(none, one), moved[:, 1, sample].T)


def test_samples_do_not_mix(posterior_of, kernel):
    whole = posterior_of(kernel)
    y = np.linalg.inv(whole.precisions[0]) @ whole.weights[0] + whole.states[0, 0]
    alone = [condition(kernel, state[None], whole.X, y).moments(POINTS) for state in whole.states]
    for together, apart in zip(whole.moments(POINTS), zip(*alone, strict=True), strict=True):
        np.testing.assert_allclose(together, np.concatenate(apart), rtol=1e-6, atol=1e-8)


def test_the_log_likelihood_equals_scipys(data):
    X, y = data
    K = M52.gram(np.array(LENGTHS), X) + 0.01 * np.eye(30)
    expected = multivariate_normal(np.full(30, 0.3), K).logpdf(y)
    assert log_likelihood_and_gradient(K, y - 0.3)[0] == pytest.approx(expected, rel=1e-10)


def test_the_precision_is_the_inverse_of_what_was_factorised(data):
    K = M52.gram(np.array(LENGTHS), data[0]) + 0.01 * np.eye(30)
    inverse = precision(np.linalg.inv(np.tril(cholesky(K))))
    assert np.array_equal(inverse, inverse.T)
    np.testing.assert_allclose(inverse @ K, np.eye(30), atol=1e-10)


def test_without_noise_the_mean_meets_every_observation(data):
    X, y = data
    mean, variance = _condition(X, y, 0.0).moments(X)
    np.testing.assert_allclose(mean[0], y, atol=2e-2)
    assert (variance >= 1e-6 * AMPLITUDE).all()  # Spearmint's nugget, and what it leaves unknown of the point itself
    assert (variance <= 2e-6 * AMPLITUDE).all()


def test_far_from_the_observations_the_posterior_is_the_prior(data):
    mean, variance = _condition(*data, 0.01, lengths=[1e-3, 1e-3], mean=0.3).moments(POINTS)
    np.testing.assert_allclose(mean, np.full((1, 50), 0.3), atol=1e-6)
    np.testing.assert_allclose(variance, np.full((1, 50), (1 + NUGGET) * AMPLITUDE), rtol=1e-6)


@pytest.mark.parametrize("noise", [0.0, 1e-12, 1.0, 1e6])
def test_the_variance_is_that_of_the_latent_function_between_nugget_and_prior(data, noise):
    X, y = data
    _, variance = _condition(X, y, noise).moments(np.concatenate([X, POINTS, X + 1e-9]))
    assert (variance >= NUGGET * AMPLITUDE).all()
    assert (variance <= (1 + NUGGET) * AMPLITUDE).all()


def test_duplicated_points_are_one_point_with_less_noise():
    X, y, points = np.array([[0.2], [0.7]]), np.array([1.0, -1.0]), np.linspace(0, 1, 9)[:, None]
    twice = _condition(np.repeat(X, 2, axis=0), np.repeat(y, 2), 0.2 - NUGGET * AMPLITUDE, lengths=[0.5])
    once = _condition(X, y, 0.1 - NUGGET * AMPLITUDE, lengths=[0.5])
    np.testing.assert_allclose(twice.moments(points), once.moments(points), rtol=1e-10)


def test_a_singular_covariance_gets_a_jitter():
    L = np.tril(cholesky(np.ones((50, 50))))
    np.testing.assert_allclose(L @ L.T, np.ones((50, 50)), atol=1e-5)


@pytest.mark.parametrize("scale", [1.0, 2500.0])
@pytest.mark.parametrize("missing", [3e-11, 2e-10, 3e-9, 2e-8, 3e-7, 2e-6, 3e-5])
def test_the_jitter_is_at_most_a_hundredfold_of_what_the_covariance_lacks(missing, scale):
    """missing: how far its lowest eigenvalue lies below zero, a share of the mean variance (scale)."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((6, 6)))
    K = scale * (Q * [-missing, 0.5, 1, 1, 1.5, 2]) @ Q.T
    K = (K + K.T) / 2
    L = np.tril(cholesky(K))
    jitter = (L @ L.T - K).diagonal() / scale
    assert missing < jitter.min() <= jitter.max() < 100 * missing
    np.testing.assert_allclose(L @ L.T - K, scale * np.diag(jitter), atol=1e-13 * scale)


def test_a_covariance_that_has_a_factor_gets_no_jitter():
    Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((6, 6)))
    K = (Q * [1e-11, 0.5, 1, 1, 1.5, 2]) @ Q.T
    L = np.tril(cholesky(K))
    np.testing.assert_allclose(L @ L.T, K, atol=1e-14)


@pytest.mark.parametrize("place", [(0, 0), (2, 2), (1, 0), None])
def test_a_hopeless_covariance_is_one_clear_sentence(place):
    K = np.diag([1.0, 1.0, -1.0])
    if place:
        K = np.eye(3)
        K[place] = K[place[::-1]] = np.nan
    with pytest.raises(RunError, match=r"no Cholesky factor, even with a jitter .*; check that"):
        cholesky(K)
