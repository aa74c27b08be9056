"""Laws of expected improvement and of the averaged mean."""

import numpy as np
import pytest

from bayes_hpo.gp.acquisition import ExpectedImprovement, NegativeMean, improvement
from bayes_hpo.gp.kernels import Matern52
from bayes_hpo.gp.regression import condition


class Given:
    """A posterior with the same mean and variance everywhere."""

    def __init__(self, mean, variance):
        self.mean, self.variance = mean, variance

    def moments(self, points):
        return np.full(len(points), self.mean), np.full(len(points), self.variance)


@pytest.fixture
def criteria():
    rng = np.random.default_rng(0)
    X, y = rng.random((25, 2)), rng.standard_normal(25)
    settings = [(0.5, [0.3, 0.6], 0.01), (2.0, [1.5, 0.2], 0.3), (1.0, [0.9, 0.9], 1e-6)]
    posteriors = [
        condition(X, y, kernel=Matern52(amplitude, np.array(lengths)), mean=0.1, noise=noise)
        for amplitude, lengths, noise in settings
    ]
    return [ExpectedImprovement(posteriors, y.min()), NegativeMean(posteriors)]


@pytest.mark.parametrize(("mean", "variance", "best"), [(0.0, 1.0, 0.0), (0.5, 0.3, -0.2), (-3.0, 4.0, 1.0)])
def test_expected_improvement_equals_monte_carlo(mean, variance, best):
    draws = np.random.default_rng(1).normal(mean, np.sqrt(variance), 200_000)
    improvements = np.maximum(best - draws, 0)  # thesis, eq. 2.9
    found = ExpectedImprovement([Given(mean, variance)], best).values(np.zeros((1, 1)))[0]
    assert abs(found - improvements.mean()) < 4 * improvements.std() / np.sqrt(len(draws))


def test_improvement_is_finite_and_never_negative_far_from_the_incumbent():
    z = np.concatenate([-np.logspace(-3, 12, 400), np.logspace(-3, 12, 400)])
    values = improvement(z)
    assert np.isfinite(values).all()
    assert (values >= np.maximum(z, 0)).all()
    np.testing.assert_allclose(values[z > 40], z[z > 40], rtol=1e-15)


def test_improvement_keeps_its_digits_in_the_tail():
    z = np.array([-10.0, -20.0, -30.0])
    phi = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi)
    series = phi / z**2 * (1 - 3 / z**2 + 15 / z**4 - 105 / z**6 + 945 / z**8)  # integrated by parts five times
    np.testing.assert_allclose(improvement(z), series, rtol=2e-6)


def test_improvement_needs_no_noise_to_vanish_at_the_incumbent():
    X, y = np.array([[0.3], [0.8]]), np.array([0.0, 1.0])
    posterior = condition(X, y, kernel=Matern52(1.0, np.array([0.4])), mean=0.5, noise=0.0)
    at_incumbent, elsewhere = ExpectedImprovement([posterior], 0.0).values(np.array([[0.3], [0.1]]))
    assert at_incumbent < 1e-2 * elsewhere


def test_values_are_averages_over_the_samples(criteria):
    points = np.random.default_rng(2).random((11, 2))
    for criterion in criteria:
        rest = {"best": criterion.best} if isinstance(criterion, ExpectedImprovement) else {}
        singles = [type(criterion)([posterior], **rest).values(points) for posterior in criterion.posteriors]
        np.testing.assert_allclose(criterion.values(points), np.mean(singles, axis=0), rtol=1e-12)


def test_gradients_equal_finite_differences(criteria):
    points, step = np.random.default_rng(3).random((9, 2)), 1e-5
    for criterion in criteria:
        values, gradients = criterion.values_and_gradients(points)
        np.testing.assert_allclose(values, criterion.values(points), rtol=1e-13)
        for axis, e in enumerate(step * np.eye(2)):
            numeric = (criterion.values(points + e) - criterion.values(points - e)) / (2 * step)
            np.testing.assert_allclose(gradients[:, axis], numeric, rtol=1e-6, atol=1e-8)
