"""Laws of the acquisitions and of their average over samples."""

import numpy as np
import pytest

from bayes_hpo.acquisition import criteria as module
from bayes_hpo.acquisition.criteria import (
    ConfidenceBound,
    ExpectedImprovement,
    Integrated,
    LogExpectedImprovement,
    NegativeMean,
    ProbabilityOfImprovement,
    improvement,
    log_improvement,
)

PLAIN = [ExpectedImprovement(0.2), ProbabilityOfImprovement(0.2), ConfidenceBound(1.5), NegativeMean()]
ACQUISITIONS = [*PLAIN, LogExpectedImprovement(0.2)]
each_acquisition = pytest.mark.parametrize("acquisition", ACQUISITIONS, ids=lambda one: type(one).__name__)
MOMENTS = [(0.0, 1.0, 0.0), (0.5, 0.3, -0.2), (-3.0, 4.0, 1.0), (2.0, 1.0, 0.0)]  # mean, variance, best


def _samples(mean, variance):
    """Moments (1,) as an acquisition takes them."""
    return np.array([mean]), np.array([variance])


@pytest.mark.parametrize(("mean", "variance", "best"), MOMENTS)
def test_improvement_expected_and_probable_equal_monte_carlo(mean, variance, best):
    draws = np.random.default_rng(1).normal(mean, np.sqrt(variance), 200_000)
    for acquisition, gains in (
        (ExpectedImprovement(best), np.maximum(best - draws, 0)),  # thesis, eq. 2.9
        (ProbabilityOfImprovement(best), draws < best),
    ):
        found = acquisition.value(*_samples(mean, variance)).item()
        assert abs(found - gains.mean()) < 4 * gains.std() / np.sqrt(len(draws))


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


def test_the_logarithm_of_improvement_is_that_of_the_improvement_and_of_its_series():
    near, far = np.linspace(-8, 6, 200), np.array([-8.0, -30.0, -999.0, -1001.0, -1e5, -1e8, -1e100])
    np.testing.assert_allclose(log_improvement(near)[0], np.log(improvement(near)), rtol=1e-9)
    with np.errstate(over="ignore"):
        series = 1 - 3 / far**2 + 15 / far**4 - 105 / far**6 + 945 / far**8  # integrated by parts five times
    expected = -0.5 * far**2 - 0.5 * np.log(2 * np.pi) - 2 * np.log(-far) + np.log(series)
    np.testing.assert_allclose(log_improvement(far)[0], expected, rtol=1e-6)
    np.testing.assert_allclose(log_improvement(far)[1], -far, rtol=0.05)  # its slope: all that leads a climb from there


def test_the_slope_of_the_logarithm_equals_finite_differences_on_both_sides_of_every_seam(numeric):
    """h' = Phi and Phi' = phi, so (log h)' = Phi / h and (Phi / h)' = phi / h - (Phi / h)^2."""
    for z in (-1000.5, -999.5, -30.0, -1.5, -1.0005, -0.9995, 0.3, 5.0):
        _, slope, density = log_improvement(np.array([z]))
        slopes = numeric(lambda x: np.array(log_improvement(x)[:2]), np.array([z]), step=1e-4)
        assert slope.item() == pytest.approx(slopes[0, 0].item(), rel=1e-5)
        assert (density - slope**2).item() == pytest.approx(slopes[0, 1].item(), rel=1e-3, abs=1e-2)


@each_acquisition
@pytest.mark.parametrize("distance", [-1e8, -1e3, 1e3, 1e8])
def test_derivatives_are_finite_far_from_the_incumbent(acquisition, distance):
    assert np.isfinite(acquisition.derivatives(*_samples(distance, 1.0))).all()


@each_acquisition
@pytest.mark.parametrize(("mean", "variance", "best"), MOMENTS)
def test_derivatives_by_mean_and_variance_equal_finite_differences(
    acquisition, mean, variance, best, numeric, same_gradients
):
    value, *derivatives = acquisition.derivatives(*_samples(mean, variance))
    assert value.item() == acquisition.value(*_samples(mean, variance)).item()
    expected = numeric(lambda moments: acquisition.value(*_samples(*moments)), np.array([mean, variance]), step=1e-4)
    same_gradients(np.array(derivatives), expected)


def test_the_acquisitions_are_one_family():
    mean, variance = np.linspace(-2, 2, 9), np.geomspace(0.1, 5, 9)
    _, by_mean, _ = ExpectedImprovement(0.2).derivatives(mean, variance)
    np.testing.assert_allclose(by_mean, -ProbabilityOfImprovement(0.2).value(mean, variance), rtol=1e-14)
    np.testing.assert_array_equal(ConfidenceBound(0.0).value(mean, variance), NegativeMean().value(mean, variance))
    certain = ExpectedImprovement(0.2).value(mean, np.full(9, 1e-30))
    np.testing.assert_allclose(certain, np.maximum(0.2 - mean, 0), atol=1e-15)


@pytest.mark.parametrize("acquisition", PLAIN, ids=lambda one: type(one).__name__)
def test_the_average_is_that_of_the_samples(acquisition, posterior_of):
    posterior, points = posterior_of(), np.random.default_rng(2).random((11, 2))
    each = [acquisition.value(mean, variance) for mean, variance in zip(*posterior.moments(points), strict=True)]
    np.testing.assert_allclose(Integrated(acquisition, posterior).values(points), np.mean(each, axis=0), rtol=1e-13)


def test_gradients_are_followed_on_the_logarithm_of_the_averaged_improvement(posterior_of):
    criterion, points = Integrated(ExpectedImprovement(0.2), posterior_of()), np.random.default_rng(2).random((11, 2))
    np.testing.assert_allclose(criterion.for_gradients().values(points), np.log(criterion.values(points)), rtol=1e-10)


@each_acquisition
def test_gradients_of_the_average_equal_finite_differences(
    acquisition, posterior_of, smooth_points, kernel, numeric, same_gradients
):
    posterior = posterior_of(kernel)
    criterion, points = Integrated(acquisition, posterior), smooth_points(posterior, 9, seed=3)
    values, gradients = criterion.values_and_gradients(points)
    np.testing.assert_allclose(values, criterion.values(points), rtol=1e-9)
    same_gradients(gradients, numeric(lambda shift: criterion.values(points + shift), np.zeros(2)).T)


def test_improvement_needs_no_noise_to_vanish_at_the_incumbent(model_of):
    X, y, state = np.array([[0.3], [0.8]]), np.array([0.0, 1.0]), np.array([[0.5, 1.0, 0.0, 0.4]])
    criterion = Integrated(ExpectedImprovement(0.0), model_of().posterior(state, X, y))
    at_incumbent, elsewhere = criterion.values(np.array([[0.3], [0.1]]))
    assert at_incumbent < 1e-2 * elsewhere


@pytest.mark.parametrize("count", [0, 1, 7, 10, 11, 40])
def test_values_do_not_depend_on_the_chunk(posterior_of, monkeypatch, count):
    criterion, points = (
        Integrated(ExpectedImprovement(0.2), posterior_of()),
        np.random.default_rng(0).random((count, 2)),
    )
    whole = criterion.values(points)
    monkeypatch.setattr(module, "CHUNK", 10)
    np.testing.assert_allclose(criterion.values(points), whole, rtol=1e-10)


def test_the_memory_of_values_does_not_grow_with_the_points(posterior_of, monkeypatch):
    sizes, posterior = [], posterior_of()
    moments = posterior.moments
    monkeypatch.setattr(type(posterior), "moments", lambda self, points: sizes.append(len(points)) or moments(points))
    assert (
        len(Integrated(ExpectedImprovement(0.2), posterior).values(np.random.default_rng(0).random((9000, 2)))) == 9000
    )
    assert sum(sizes) == 9000
    assert max(sizes) <= 2000
