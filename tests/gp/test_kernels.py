"""Laws of the covariance functions."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.gaussian_process.kernels import Matern

from bayes_hpo.gp.kernels import Matern52

KERNELS = [Matern52]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("lengths", [[1e-8, 1e-8], [1e-3, 2.0], [0.3, 0.7], [1e8, 1e-8], [1e8, 1e8]])
def test_covariances_are_symmetric_and_positive_semidefinite(kernel, lengths):
    rng = np.random.default_rng(0)
    X = rng.random((40, 2))
    X[7] = X[3]
    K = kernel(2.5, np.array(lengths))(X, X)
    assert np.array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-12 * np.trace(K)
    assert np.array_equal(K.diagonal(), np.full(40, 2.5))


@pytest.mark.parametrize("kernel", KERNELS)
def test_gradient_equals_finite_differences(kernel):
    rng = np.random.default_rng(1)
    A, B = rng.random((6, 3)), rng.random((9, 3))
    k = kernel(3.0, np.array([0.4, 0.9, 1.7]))
    values, gradients = k.value_and_gradient(A, B)
    assert np.array_equal(values, k(A, B))
    for i, a in enumerate(A):
        numeric = _central(lambda x: k(x[None], B)[0], a)  # (d, n)
        np.testing.assert_allclose(gradients[i], numeric.T, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_gradient_is_zero_where_the_two_points_meet(kernel):
    X = np.random.default_rng(2).random((5, 3))
    _, gradients = kernel(3.0, np.ones(3)).value_and_gradient(X, X)
    assert np.array_equal(gradients[np.arange(5), np.arange(5)], np.zeros((5, 3)))


def test_slope_is_the_derivative_of_the_correlation():
    for squares in (1e-3, 0.4, 7.0):
        numeric = approx_fprime(np.array([squares]), lambda s: Matern52.correlation(s)[0], 1e-7)
        np.testing.assert_allclose(Matern52.slope(np.array([squares])), numeric, rtol=1e-4)


def test_matern_equals_scikit_learn():
    rng = np.random.default_rng(3)
    A, B, lengths = rng.random((8, 4)), rng.random((5, 4)), np.array([0.1, 0.5, 1.3, 2.0])
    np.testing.assert_allclose(Matern52(0.7, lengths)(A, B), 0.7 * Matern(lengths, nu=2.5)(A, B), rtol=1e-12)


def _central(function, x, step=1e-6):
    """Central differences (d, ...) of the function at x (d,)."""
    return np.array([(function(x + e) - function(x - e)) / (2 * step) for e in step * np.eye(len(x))])
