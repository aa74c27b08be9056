"""Laws of the values in single precision, with those in double precision as witness."""

import tracemalloc

import numpy as np
import pytest

from bayes_hpo.acquisition.criteria import BaseAcquisition, ExpectedImprovement, Integrated
from bayes_hpo.acquisition.maximize import screen
from bayes_hpo.surrogates.gp.regression import cholesky, noisy


@pytest.fixture
def problem(model_of):
    """Function: expected improvement over three states around the one from which n values were drawn.

    shortest: length scale. least_noise: share of the amplitude.
    """

    def make(rng, kernel, d, n, shortest=0.1, least_noise=1e-6):
        X, amplitude = rng.random((n, d)), 10 ** rng.uniform(-1, 2)
        noise = amplitude * 10 ** rng.uniform(np.log10(least_noise), 0)
        theta = 10 ** rng.uniform(np.log10(shortest), 0.3, len(kernel.parameters(d)))
        K = noisy(kernel.pairs(theta, kernel.prepare(X)), n, amplitude, noise)
        y = np.tril(cholesky(K)) @ rng.standard_normal(n)
        states = np.array([0, amplitude, noise, *theta]) * 10 ** rng.uniform(-0.2, 0.2, (3, 3 + len(theta)))
        return Integrated(ExpectedImprovement(y.min()), model_of(kernel).posterior(states, X, y))

    return make


@pytest.mark.parametrize(
    ("shortest", "least_noise", "share"), [(0.1, 1e-6, 5e-4), (0.003, 1e-9, 1e-2)], ids=["usual", "extreme"]
)
def test_values_equal_those_in_double_precision_to_a_share_of_the_deviation(
    problem, kernel, shortest, least_noise, share
):
    """Of the prior's; and the best candidate is among the forty that are then valued in double precision."""
    rng, errors, found = np.random.default_rng(0), [], []
    for _ in range(20):
        d, n = rng.integers(1, 7), rng.integers(2, 80)
        criterion = problem(rng, kernel, d, n, shortest, least_noise)
        near = criterion.predictive.X[rng.integers(0, n, 100)] + 1e-3 * rng.standard_normal((100, d))
        candidates = np.concatenate([rng.random((200, d)), np.clip(near, 0, 1)])
        rough, exact = screen(criterion, candidates), criterion.values(candidates)
        errors.append(np.abs(rough - exact).max() / np.sqrt(criterion.predictive.variances(np.zeros((3, 1)), d).max()))
        found.append(exact.argmax() in np.argsort(-rough)[:40])
    assert max(errors) < share
    assert np.mean(found) >= 0.95


def test_a_value_does_not_depend_on_the_other_candidates(problem, kernel):
    rng = np.random.default_rng(1)
    criterion, candidates = problem(rng, kernel, 3, 70), rng.random((3000, 3))  # more than one chunk
    parts = np.concatenate([screen(criterion, part) for part in np.split(candidates, [1, 1500, 2999])])
    np.testing.assert_allclose(screen(criterion, candidates), parts, rtol=1e-3, atol=1e-5 * parts.max())


def test_memory_does_not_grow_with_candidates_times_observations(problem, kernel):
    rng = np.random.default_rng(2)
    criterion, peaks = problem(rng, kernel, 2, 200), []
    for candidates in (rng.random((1000, 2)), rng.random((6000, 2))):
        tracemalloc.start()
        screen(criterion, candidates)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (
        peaks[1] - peaks[0] < 5000 * 3 * 12
    )  # bytes for each of 3 samples; the covariances are 200 numbers a candidate


class Variance(BaseAcquisition):
    """An acquisition that shows what variance it is given."""

    derivatives = None

    def value(self, mean, variance):
        return variance


def test_no_variance_lies_below_the_nugget(model_of, kernel):
    """A millionth of the amplitude (Spearmint): not even where values without noise leave nothing unknown."""
    rng = np.random.default_rng(3)
    X, theta = rng.random((60, 2)), np.ones(len(kernel.parameters(2)))
    for amplitude in (0.5, 2, 70):
        posterior = model_of(kernel).posterior(np.array([[0, amplitude, 0, *theta]]), X, rng.standard_normal(60))
        found = screen(Integrated(Variance(), posterior), np.concatenate([X, rng.random((60, 2))]))
        assert found.min() >= 1e-6 * amplitude * (1 - 1e-6)  # single precision
