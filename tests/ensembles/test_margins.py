"""The losses as functions of the margin, and the printed slopes of the sigmoid (thesis, 4.3)."""

import numpy as np
import pytest

from bayes_hpo.ensembles.margins import (
    LEAST_DIFFERENCE,
    c_bound_loss,
    disagreement,
    least_difference,
    margin_loss,
    sigmoid_loss,
    sigmoid_slope,
    squared_margin_loss,
)
from bayes_hpo.errors import UserError

M = np.linspace(-1, 1, 21)


@pytest.mark.parametrize(
    ("size", "slope"),
    [(3, 20.72), (4, 13.81), (5, 11.49), (6, 10.31), (7, 9.575), (10, 8.374), (12, 7.914), (20, 6.898), (30, 6.241)],
)
def test_the_slope_is_the_larger_root(size, slope):
    assert sigmoid_slope(size) == pytest.approx(slope, abs=5.1e-4 if slope < 10 else 5.1e-3)
    assert least_difference(sigmoid_slope(size), size) == pytest.approx(LEAST_DIFFERENCE, rel=1e-9)
    assert least_difference(sigmoid_slope(size) * 1.01, size) < LEAST_DIFFERENCE
    assert least_difference(1.0, size) > LEAST_DIFFERENCE  # the other root lies below 1


def test_every_slope_from_3_to_448_members_is_a_root_and_falls_with_their_number():
    slopes = [sigmoid_slope(size) for size in range(3, 449)]
    np.testing.assert_allclose([least_difference(a, m) for m, a in enumerate(slopes, 3)], LEAST_DIFFERENCE, rtol=1e-9)
    assert (np.diff(slopes) < 0).all()


@pytest.mark.parametrize("size", [1, 2])
def test_below_3_members_the_slope_is_that_of_3(size):
    assert sigmoid_slope(size) == sigmoid_slope(3)


def test_an_ensemble_too_large_for_a_slope_is_refused():
    with pytest.raises(UserError, match="no slope for 449 members; choose another loss, or fewer members"):
        sigmoid_slope(449)


def test_losses_at_margins_of_minus_one_zero_and_one():
    np.testing.assert_array_equal(margin_loss([-1, 0, 1]), [1, 0.5, 0])
    np.testing.assert_array_equal(squared_margin_loss([-1, 0, 1]), [1, 0.25, 0])
    np.testing.assert_allclose(sigmoid_loss([-1, 0, 1], 10), [1 - 4.5397868702e-5, 0.5, 4.5397868702e-5])
    np.testing.assert_allclose(sigmoid_loss(M, 10), 1 - 1 / (1 + np.exp(-10 * M)))


def test_the_c_bound_in_two_halves_is_its_form_with_a_sign():
    mu1, mu2 = np.meshgrid(M, np.linspace(0.01, 1, 12))
    halves = np.where(mu1 >= 0, 1 - mu1**2 / mu2, 1 + mu1**2 / mu2) / 2  # eq. 4.21
    np.testing.assert_allclose(c_bound_loss(mu1, mu2), halves)
    assert c_bound_loss(0.0, 0.0) == 0.5


def test_disagreement_and_squared_margin_follow_from_the_moments():
    """Eq. 4.16 to 4.20, on random ensembles of right and wrong members."""
    right = np.random.default_rng(0).random((7, 500)) < 0.6
    margins = (2.0 * right - 1).mean(axis=0)
    mu1, mu2 = margins.mean(), (margins**2).mean()
    pairs = np.mean([(one != other).mean() for one in right for other in right])
    np.testing.assert_allclose(disagreement(mu2), pairs)
    np.testing.assert_allclose(squared_margin_loss(margins).mean(), (1 - mu1 - disagreement(mu2)) / 2)
