"""Laws of the Laplace kernel, with SciPy and scikit-learn as witnesses."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.gaussian_process.kernels import Matern

from bayes_hpo.surrogates.gp.laplace import Laplace
from bayes_hpo.surrogates.gp.priors import Uniform

KERNEL = Laplace(Uniform(0.0, 2.0))
RNG = np.random.default_rng(3)
LENGTHS = np.array([0.1, 0.5, 1.3, 2.0])


def test_correlations_fall_with_the_scaled_city_block_distance():
    A, B = RNG.random((8, 4)), RNG.random((5, 4))
    expected = np.exp(-cdist(A / LENGTHS, B / LENGTHS, "cityblock"))  # thesis, eq. 5.15
    np.testing.assert_allclose(KERNEL.cross(LENGTHS[None], A, B)[0], expected, rtol=1e-12)


def test_on_a_line_it_is_matern_one_half():
    A = RNG.random((9, 1))
    ours = KERNEL.gram(np.array([0.4]), A)
    np.testing.assert_allclose(ours, Matern(0.4, nu=0.5)(A), rtol=1e-12)


def test_it_is_the_product_of_its_dimensions():
    A = RNG.random((9, 4))
    each = [KERNEL.gram(LENGTHS[[k]], A[:, [k]]) for k in range(4)]
    np.testing.assert_allclose(KERNEL.gram(LENGTHS, A), np.prod(each, axis=0), rtol=1e-12)


def test_a_dimension_in_which_no_points_differ_moves_nothing():
    A = np.column_stack([RNG.random(9), np.full(9, 0.5), RNG.random(9), np.full(9, 0.5)])
    prepared = KERNEL.prepare(A)
    assert [KERNEL.along(k, LENGTHS, prepared) is None for k in range(4)] == [False, True, False, True]
    K, pullback = KERNEL.pairs_and_pullback(LENGTHS, prepared)
    np.testing.assert_array_equal(K, KERNEL.pairs(np.array([0.1, 9.0, 1.3, 9.0]), prepared))
    assert (pullback(RNG.standard_normal(45))[[1, 3]] == 0).all()
