"""Laws of the stationary kernels, with scikit-learn as witness."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, Matern

from bayes_hpo.surrogates.gp.priors import Uniform
from bayes_hpo.surrogates.gp.stationary import Matern32, Matern52, SquaredExponential

WITNESSES = {SquaredExponential: RBF, Matern32: lambda l: Matern(l, nu=1.5), Matern52: lambda l: Matern(l, nu=2.5)}  # noqa: E741
each_kernel = pytest.mark.parametrize("kernel", WITNESSES)
LENGTH = Uniform(0.0, 2.0)
LENGTHS = np.array([0.1, 0.5, 1.3, 2.0])


@each_kernel
def test_correlations_equal_scikit_learns(kernel):
    rng = np.random.default_rng(3)
    A, B, witness = rng.random((8, 4)), rng.random((5, 4)), WITNESSES[kernel](LENGTHS)
    np.testing.assert_allclose(kernel(LENGTH).cross(LENGTHS[None], A, B)[0], witness(A, B), rtol=1e-12)
    np.testing.assert_allclose(kernel(LENGTH).gram(LENGTHS, A), witness(A), rtol=1e-12)


@each_kernel
def test_the_slope_is_the_derivative_of_the_shape(kernel, numeric):
    for t in ([1e-2], [0.4], [7.0]):
        shape, slope = kernel.shape_and_slope(np.array(t))
        np.testing.assert_allclose(shape, kernel.shape(np.array(t)), rtol=1e-14)
        np.testing.assert_allclose(slope, numeric(kernel.shape, np.array(t), step=1e-4)[0], rtol=1e-6)


@each_kernel
def test_the_shape_falls_from_one_to_zero(kernel):
    t = np.concatenate([[0], np.logspace(-12, 12, 200)])
    shape, slope = kernel.shape_and_slope(t.copy())
    assert shape[0] == 1
    assert shape[-1] == 0
    assert (np.diff(shape) <= 0).all()
    assert np.isfinite(slope).all()


@each_kernel
def test_only_differences_of_points_count(kernel):
    rng = np.random.default_rng(4)
    A, B = rng.random((8, 4)), rng.random((5, 4))
    moved = kernel(LENGTH).cross(LENGTHS[None], A + 0.3, B + 0.3)
    np.testing.assert_allclose(moved, kernel(LENGTH).cross(LENGTHS[None], A, B), rtol=1e-11)
