"""Laws of Mondrian partitions and of the kernel made of them."""

import numpy as np
import pytest

from bayes_hpo.surrogates.gp.mondrian import Mondrian, mondrian_kernel


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def partitions(count, rng, d=2, lifetime=1.0):
    return [Mondrian.draw(d, lifetime, rng) for _ in range(count)]


def test_cells_fill_the_cube_and_every_point_is_in_one(rng):
    points = np.vstack([rng.random((200, 3)), np.eye(3), np.zeros((1, 3)), np.ones((1, 3))])
    for one in partitions(20, rng, d=3, lifetime=2):
        assert np.prod(one.high - one.low, axis=1).sum() == pytest.approx(1)
        assert (one.features(points).sum(axis=1) == 1).all()


def test_a_corner_of_a_cut_is_in_one_cell(rng):
    one = Mondrian.draw(2, 3.0, rng)
    assert len(one.low) > 3
    assert (one.features(np.vstack([one.low, one.high])).sum(axis=1) == 1).all()


@pytest.mark.parametrize(("d", "lifetime"), [(1, 2.0), (2, 1.0), (3, 0.5)])
def test_the_expected_number_of_cells_is_one_plus_the_lifetime_to_the_power_of_d(rng, d, lifetime):
    counts = np.array([len(one.low) for one in partitions(2000, rng, d, lifetime)])
    assert abs(counts.mean() - (1 + lifetime) ** d) < 4 * counts.std() / np.sqrt(2000)


def test_the_kernel_is_symmetric_positive_semidefinite_with_a_unit_diagonal(rng):
    kernel = mondrian_kernel(rng.random((30, 2)), partitions(7, rng, lifetime=3))
    np.testing.assert_array_equal(kernel, kernel.T)
    np.testing.assert_array_equal(np.diag(kernel), 1)
    assert np.linalg.eigvalsh(kernel).min() > -1e-12
    assert 0 < kernel[np.triu_indices(30, 1)].mean() < 1


def test_without_a_life_there_is_one_cell(rng):
    assert (mondrian_kernel(rng.random((5, 2)), partitions(3, rng, lifetime=0.0)) == 1).all()


@pytest.mark.parametrize(("d", "lifetime"), [(4, 0.5), (4, 1 / 0.75), (2, 4.0)])
def test_its_expectation_is_the_laplace_kernel(rng, d, lifetime):
    points, count = rng.random((12, d)), 1000
    laplace = np.exp(-lifetime * np.abs(points[:, None] - points).sum(axis=-1))
    found = mondrian_kernel(points, partitions(count, rng, d, lifetime))
    error = np.sqrt(laplace * (1 - laplace) / count)
    pairs = np.triu_indices(12, 1)
    assert (np.abs(found - laplace)[pairs] < 4.5 * error[pairs]).all()


def test_its_error_falls_with_the_root_of_the_number_of_partitions(rng):
    points = rng.random((10, 2))
    laplace = np.exp(-np.abs(points[:, None] - points).sum(axis=-1))

    def error(count):
        return np.sqrt(np.mean([(mondrian_kernel(points, partitions(count, rng)) - laplace) ** 2 for _ in range(40)]))

    assert error(10) / error(160) == pytest.approx(4, rel=0.25)
