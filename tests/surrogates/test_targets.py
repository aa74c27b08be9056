"""Laws of what a Gaussian process is told of the losses."""

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.targets import Scaled, Standardized
from tests.configured import configured

LOSSES = np.random.default_rng(0).random(20)
both = pytest.mark.parametrize("targets", [Scaled(50.0), Standardized()], ids=lambda targets: type(targets).__name__)


def test_times_is_a_multiple_and_standard_scores_have_mean_zero_and_deviation_one():
    np.testing.assert_allclose(Scaled(50.0)(LOSSES), 50 * LOSSES, rtol=1e-15)
    scores = Standardized()(LOSSES)
    np.testing.assert_allclose([scores.mean(), scores.std()], [0, 1], atol=1e-14)


def test_standard_scores_do_not_move_with_origin_and_unit_of_the_losses():
    np.testing.assert_allclose(Standardized()(7 * LOSSES - 3), Standardized()(LOSSES), atol=1e-13)


@both
def test_the_way_back_undoes_the_way_there(targets):
    told, noise = targets(LOSSES), np.full(20, 0.1)
    means, variances = targets.inverse(np.array([told, told]), np.array([noise, noise]), LOSSES)
    np.testing.assert_allclose(means, [LOSSES, LOSSES], atol=1e-14)
    slope = np.diff(told[:2]) / np.diff(LOSSES[:2])
    np.testing.assert_allclose(variances, np.full((2, 20), 0.1) / slope**2, rtol=1e-9)


@both
@pytest.mark.parametrize("loss", [0.0, 0.3, 0.37, 1.0])
@pytest.mark.parametrize("n", [1, 3, 6, 10])
def test_equal_losses_are_equal_targets_and_standard_scores_of_zero(targets, loss, n):
    losses = np.full(n, loss)
    told = targets(losses)
    np.testing.assert_allclose(told, 0 if isinstance(targets, Standardized) else 50 * losses, atol=1e-15)
    np.testing.assert_allclose(targets.inverse(told, told, np.array(losses))[0], losses, rtol=1e-15)


@pytest.mark.parametrize("factor", [0.0, -1.0, float("nan")])
def test_a_factor_that_is_not_above_zero_is_one_sentence(factor):
    with pytest.raises(UserError, match=r"^targets\.factor=.* must be above 0$"):
        configured(Scaled, "targets", factor=factor)
