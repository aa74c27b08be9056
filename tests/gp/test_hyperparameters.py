"""Laws of the slice sampler and of the density that it samples."""

import math

import numpy as np
import pytest
from scipy.stats import expon, kstest, multivariate_normal, norm
from sklearn.gaussian_process.kernels import Matern

from bayes_hpo.errors import Fault
from bayes_hpo.gp.hyperparameters import LogDensity, sample, slice_move, start


def _data(n, d=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, d))
    return X, 10 * (X**2).sum(axis=1) + rng.standard_normal(n)


def _log_posterior(state, X, y):
    """Likelihood and priors of docs/decisions.md (Spearmint, D4), written a second time with SciPy and scikit-learn."""
    mean, amplitude, noise, *lengths = state
    K = amplitude * (Matern(lengths, nu=2.5)(X) + 1e-6 * np.eye(len(X))) + noise * np.eye(len(X))
    prior = math.log(math.log(1 + (0.1 / noise) ** 2)) - math.log(amplitude) ** 2 / 2
    return multivariate_normal(np.full(len(X), mean), K).logpdf(y) + prior


@pytest.mark.parametrize(
    ("law", "log_density"),
    [
        (norm(3, 0.2), lambda x: -0.5 * ((x.item() - 3) / 0.2) ** 2),
        (norm(-1, 5), lambda x: -0.5 * ((x.item() + 1) / 5) ** 2),
        (expon(), lambda x: -x.item() if x.item() > 0 else -math.inf),
    ],
    ids=["narrow", "wide", "with an end"],
)
def test_one_slice_move_keeps_its_distribution(law, log_density):
    rng = np.random.default_rng(0)
    state, draws = np.array([law.mean()]), []
    for _ in range(4000):
        state = slice_move(state, np.ones(1), log_density, rng)
        draws.append(state[0])
    assert kstest(draws[100::8], law.cdf).pvalue > 0.01


def test_a_slice_move_stays_on_its_line():
    direction = np.array([0.6, 0.8, 0.0])
    state = slice_move(np.zeros(3), direction, lambda x: -float(x @ x), np.random.default_rng(1))
    assert np.linalg.norm(state) > 0
    np.testing.assert_allclose(state, (state @ direction) * direction, atol=1e-15)


def _visited(log_density):
    """Points (n,) at which one slice move from 0 values the density, in order, its own start left out."""
    visited = []
    slice_move(np.zeros(1), np.ones(1), lambda x: visited.append(x.item()) or log_density(x), np.random.default_rng(2))
    return np.array(visited[1:])


def test_the_bracket_steps_out_by_whole_widths_until_both_ends_are_outside():
    visited = _visited(lambda x: 0.0 if abs(x.item()) < 30 else -math.inf)
    down, up = visited[:31], visited[31:62]  # 30 steps each: from the first bracket, which holds 0, past 30
    np.testing.assert_allclose(np.diff(down), -1)
    np.testing.assert_allclose(np.diff(up), 1)
    np.testing.assert_allclose(up[0] - down[0], 1)
    assert -31 < down[-1] <= -30 < down[-2]
    assert up[-2] < 30 <= up[-1] < 31


def test_the_bracket_steps_out_a_thousand_times_at_most():
    visited = _visited(lambda x: 0.0)
    assert len(visited) == 2 * 1000 + 1  # the last is the draw
    np.testing.assert_allclose(np.ptp(visited[:2000]), 2 * 999 + 1)


def test_density_equals_likelihood_times_priors():
    X, y = _data(12)
    density = LogDensity(X, y)
    for state in ([3.0, 4.0, 0.5, 0.4, 1.1], [8.0, 0.2, 3.0, 1.9, 0.1], [8.0, 0.7, 1e-3, 1.9, 0.1]):
        assert density(np.array(state)) == pytest.approx(_log_posterior(state, X, y), rel=1e-9)


def test_density_is_zero_off_the_support():
    X, y = _data(12)
    inside = start(y, 2)
    assert math.isfinite(LogDensity(X, y)(inside))
    for place, value in ((0, y.max() + 1), (0, y.min() - 1), (1, 0), (1, -1), (2, 0), (2, -1), (3, 0), (4, 2.01)):
        outside = inside.copy()
        outside[place] = value
        assert LogDensity(X, y)(outside) == -math.inf


def test_the_chain_starts_as_spearmint_does():
    y = np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(start(y, 4), [3.0, y.std() + 1e-4, 1e-3, 1, 1, 1, 1])


def test_a_chain_cut_in_two_is_the_same_chain():
    X, y = _data(8)
    whole = sample(start(y, 2), X, y, np.random.default_rng(5), sweeps=9)
    rng = np.random.default_rng(5)
    first = sample(start(y, 2), X, y, rng, sweeps=4)
    assert np.array_equal(np.concatenate([first, sample(first[-1], X, y, rng, sweeps=5)]), whole)


def test_every_coordinate_moves_within_the_support():
    X, y = _data(15)
    states = sample(start(y, 2), X, y, np.random.default_rng(6), sweeps=60)
    assert (np.ptp(states, axis=0) > 0).all()
    assert all(math.isfinite(LogDensity(X, y)(state)) for state in states)


@pytest.mark.slow
def test_chain_averages_equal_importance_sampling():
    X, y = np.array([[0.1], [0.4], [0.9]]), np.array([0.0, 1.5, 0.5])
    rng = np.random.default_rng(7)
    states = sample(start(y, 1), X, y, rng, sweeps=12_000)[200:]
    draws = 40_000
    mean, length = rng.uniform(0, 1.5, draws), rng.uniform(0, 2, draws)
    amplitude, noise = np.exp(rng.standard_normal(draws)), np.exp(rng.normal(-2, 2.5, draws))
    proposed = np.array([mean, amplitude, noise, length]).T
    log_density = LogDensity(X, y)
    proposal = norm.logpdf(np.log(amplitude)) - np.log(amplitude) + norm.logpdf(np.log(noise), -2, 2.5) - np.log(noise)
    weights = np.array([log_density(state) for state in proposed]) - proposal
    weights = np.exp(weights - weights.max())
    for function in (lambda s: s[:, 0], lambda s: np.log(s[:, 1]), lambda s: s[:, 2] < 0.1, lambda s: s[:, 3]):
        expected = np.average(function(proposed), weights=weights)
        spread = np.sqrt(np.average((function(proposed) - expected) ** 2, weights=weights))
        assert abs(function(states).mean() - expected) < 0.12 * spread


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.array([[0.3, 0.4]]), np.array([7.0])),
        (np.random.default_rng(0).random((9, 2)), np.full(9, 18.6)),
        (np.random.default_rng(0).random((9, 2)), np.zeros(9)),
        (np.repeat([[0.5, 0.5], [0.1, 0.2]], 20, axis=0), np.arange(40.0)),
        (np.full((30, 2), 0.5), np.full(30, 0.1)),
    ],
    ids=["one observation", "equal values", "all zero", "duplicated points", "one point, equal values"],
)
def test_degenerate_observations_give_finite_samples(X, y):
    states = sample(start(y, 2), X, y, np.random.default_rng(8), sweeps=30)
    assert np.isfinite(states).all()
    assert (states[:, 1:] > 0).all()


def test_a_value_that_is_not_a_number_is_one_clear_sentence():
    X, y = _data(6)
    y[3] = math.nan
    with pytest.raises(Fault, match="check"):
        sample(start(y, 2), X, y, np.random.default_rng(9), sweeps=1)
