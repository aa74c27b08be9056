"""Laws that every kernel keeps, sums and products included."""

import numpy as np
import pytest

from bayes_hpo.surrogates.gp.kernel import symmetric
from bayes_hpo.surrogates.gp.priors import Uniform
from bayes_hpo.surrogates.gp.regression import NUGGET, noisy
from bayes_hpo.surrogates.gp.stationary import Matern32, Matern52, SquaredExponential

RNG = np.random.default_rng(0)
A, B = RNG.random((6, 3)), RNG.random((9, 3))
SE, M32, M52 = (kernel(Uniform(0.0, 2.0)) for kernel in (SquaredExponential, Matern32, Matern52))


def _thetas(kernel, samples=2, d=3):
    return np.random.default_rng(1).uniform(0.3, 1.7, (samples, len(kernel.parameters(d))))


def _extreme(kernel, rng, d):
    """Lengths from 1e-8 to 1e8."""
    return 10.0 ** rng.choice([-8, -3, -1, 0, 1, 8], len(kernel.parameters(d)))


@pytest.mark.parametrize("d", [1, 2, 6])
def test_covariances_with_the_nugget_are_symmetric_and_positive_definite(kernel, d):
    rng = np.random.default_rng(d)
    for _ in range(20):
        X = rng.random((40, d))
        X[7], X[9] = X[3], X[3] + 1e-12
        K = 2.5 * (kernel.gram(_extreme(kernel, rng, d), X) + NUGGET * np.eye(40))
        assert np.array_equal(K, K.T)
        assert np.linalg.eigvalsh(K).min() > 0.5 * NUGGET * 2.5


def test_covariances_of_points_with_themselves_are_one_matrix_however_they_are_had(kernel):
    thetas, prepared = _thetas(kernel), kernel.prepare(A)
    K = kernel.gram(thetas[0], A)
    np.testing.assert_allclose(K, symmetric(kernel.pairs_and_pullback(thetas[0], prepared)[0], 6), rtol=1e-14)
    np.testing.assert_allclose(K, kernel.cross(thetas, A, A)[0], rtol=1e-12)
    np.testing.assert_allclose(K.diagonal(), kernel.variances(thetas, 3)[0], rtol=1e-14)


def test_the_pullback_of_the_gram_matrix_equals_finite_differences(kernel, numeric, same_gradients):
    theta, prepared, weights = _thetas(kernel)[0], kernel.prepare(A), RNG.standard_normal(21)
    _, pullback = kernel.pairs_and_pullback(theta, prepared)
    same_gradients(pullback(weights), numeric(lambda t: weights @ kernel.pairs(t, prepared), theta))


def test_along_one_hyperparameter_the_covariances_are_those_of_the_whole(kernel):
    theta, prepared = _thetas(kernel)[0], kernel.prepare(A)
    for k in range(len(theta)):
        line = kernel.along(k, theta, prepared)
        for value in (0.05, theta[k], 1.9, 40.0):
            moved = np.where(np.arange(len(theta)) == k, value, theta)
            np.testing.assert_allclose(line(value), kernel.pairs(moved, prepared), rtol=1e-12, atol=1e-300)


def test_the_covariances_of_noisy_values_have_the_nugget_and_the_noise_on_their_diagonal(kernel):
    theta, expected = _thetas(kernel)[0], 2.5 * kernel.gram(_thetas(kernel)[0], A)
    K = noisy(kernel.pairs(theta, kernel.prepare(A)), 6, 2.5, 0.3)
    np.testing.assert_allclose(np.tril(K), np.tril(expected + (2.5 * NUGGET + 0.3) * np.eye(6)), rtol=1e-14)


def test_the_pullback_of_the_cross_covariances_equals_finite_differences(kernel, numeric, same_gradients):
    thetas, weights = _thetas(kernel), RNG.standard_normal((2, 6, 9))
    K, pullback = kernel.cross_and_pullback(thetas, A, B)
    np.testing.assert_allclose(K, kernel.cross(thetas, A, B), rtol=1e-14)
    moved = numeric(lambda shift: (weights * kernel.cross(thetas, A + shift, B)).sum(axis=2), np.zeros(3))  # (d, s, m)
    same_gradients(pullback(weights), np.moveaxis(moved, 0, 2))


def test_the_gradient_is_zero_where_the_two_points_meet(kernel):
    for a in A:
        _, pullback = kernel.cross_and_pullback(_thetas(kernel), a[None], a[None])
        np.testing.assert_allclose(pullback(np.ones((2, 1, 1))), np.zeros((2, 1, 3)), atol=1e-12)


def test_samples_do_not_mix(kernel):
    thetas = _thetas(kernel, samples=3)
    alone = np.concatenate([kernel.cross(theta[None], A, B) for theta in thetas])
    np.testing.assert_allclose(kernel.cross(thetas, A, B), alone, rtol=1e-14)
    np.testing.assert_array_equal(kernel.variances(thetas, 3), [kernel.variances(t[None], 3)[0] for t in thetas])


def test_points_in_single_precision_give_covariances_in_single_precision(kernel):
    thetas = _thetas(kernel)
    single = kernel.cross(thetas, A.astype(np.float32), B.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, kernel.cross(thetas, A, B), rtol=1e-4)


def test_a_parameter_starts_within_its_support_and_has_a_name_of_its_own(kernel):
    parameters = kernel.parameters(3)
    assert len({p.name for p in parameters}) == len(parameters)
    assert all(p.prior.low < p.start <= p.prior.high for p in parameters)


def test_a_composition_is_the_arithmetic_of_its_parts():
    one, other = _thetas(SE)[:1], 2 * _thetas(M32)[:1]
    K, K_other = SE.cross(one, A, B), M32.cross(other, A, B)
    both = np.hstack([one, other])
    np.testing.assert_allclose((SE + M32).cross(both, A, B), K + K_other, rtol=1e-14)
    np.testing.assert_allclose((SE * M32).cross(both, A, B), K * K_other, rtol=1e-14)


def test_the_parameters_of_a_composition_say_where_they_belong():
    names = [p.name for p in (SE + M32 * M52).parameters(1)]
    assert names == ["first.length_0", "second.first.length_0", "second.second.length_0"]
