"""Laws of slice sampling, with known distributions and importance sampling as witnesses."""

import math
from collections import Counter
from dataclasses import replace
from itertools import groupby, permutations

import numpy as np
import pytest
from scipy.stats import chisquare, expon, kstest, norm

from bayes_hpo.errors import Fault, UserError
from bayes_hpo.gp.slice_sampling import SliceSampling, sample, slice_move


def _data(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    return X, 10 * (X**2).sum(axis=1) + rng.standard_normal(n)


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
    value = log_density(state)
    for _ in range(4000):
        state, value = slice_move(state, value, np.ones(1), log_density, rng)
        draws.append(state[0])
    assert kstest(draws[100::8], law.cdf).pvalue > 0.01


def test_a_chain_recovers_a_normal_posterior_with_correlations():
    mean, A = np.arange(4.0), np.tril(np.full((4, 4), 0.4)) + np.diag([1, 0.2, 2, 3])
    inverse, deviations = np.linalg.inv(A @ A.T), np.linalg.norm(A, axis=1)

    def log_density(x):
        return -0.5 * float((x - mean) @ inverse @ (x - mean))

    states = sample(mean, log_density, np.random.default_rng(0), sweeps=4000)[200::20]
    for coordinate, law in zip(states.T, map(norm, mean, deviations), strict=True):
        assert kstest(coordinate, law.cdf).pvalue > 0.01


def test_a_slice_move_stays_on_its_line_and_knows_its_density():
    direction = np.array([0.6, 0.8, 0.0])
    state, value = slice_move(np.zeros(3), 0.0, direction, lambda x: -float(x @ x), np.random.default_rng(1))
    assert np.linalg.norm(state) > 0
    assert value == -float(state @ state)
    np.testing.assert_allclose(state, (state @ direction) * direction, atol=1e-15)


def _visited(log_density):
    """Points (n,) at which one slice move from 0 values the density, in order."""
    visited = []
    slice_move(
        np.zeros(1), 0.0, np.ones(1), lambda x: visited.append(x.item()) or log_density(x), np.random.default_rng(2)
    )
    return np.array(visited)


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


def test_the_bracket_shrinks_to_the_draws_that_lie_below_the_slice():
    draws = _visited(lambda x: 0.0 if abs(x.item()) < 1e-9 else -math.inf)[2:]
    assert abs(draws[-1]) < 1e-9
    for side in (draws[draws < 0], -draws[draws > 0]):
        assert (np.diff(side) > 0).all()


def test_a_chain_cut_in_two_is_the_same_chain(model_of):
    X, y = _data(8)
    start, density = model_of().start(X, y), model_of().density(X, y)
    whole = sample(start, density, np.random.default_rng(5), sweeps=9)
    rng = np.random.default_rng(5)
    first = sample(start, density, rng, sweeps=4)
    assert np.array_equal(np.concatenate([first, sample(first[-1], density, rng, sweeps=5)]), whole)


def test_a_fresh_chain_burns_in_and_a_continued_one_goes_on(model_of):
    X, y = _data(8)
    chain, model = SliceSampling(burn_in=6, samples=3), model_of()
    rng = np.random.default_rng(5)
    burnt = replace(chain, burn_in=0, samples=6).fresh(model, X, y, rng)
    expected = chain.continued(burnt[-1], model, X, y, rng)
    assert np.array_equal(chain.fresh(model, X, y, np.random.default_rng(5)), expected)
    assert expected.shape == (3, 5)


def test_a_chain_goes_on_though_the_values_have_changed(model_of):
    X, y = _data(8)
    chain, rng = SliceSampling(burn_in=5, samples=3), np.random.default_rng(5)
    state = chain.fresh(model_of(), X, y, rng)[-1]
    for values in (y, 0.01 * y - 7, np.zeros(8), 30 - y):
        state = chain.continued(state, model_of(), X, values, rng)[-1]
        assert math.isfinite(model_of().density(X, values)(state))


def test_every_coordinate_moves_within_the_support(model_of, kernel):
    X, y = _data(15)
    states = SliceSampling(burn_in=0, samples=40).fresh(model_of(kernel), X, y, np.random.default_rng(6))
    assert (np.ptp(states, axis=0) > 0).all()
    assert all(math.isfinite(model_of(kernel).density(X, y)(state)) for state in states)


@pytest.mark.slow
def test_chain_averages_equal_importance_sampling(model_of):
    X, y = np.array([[0.1], [0.4], [0.9]]), np.array([0.0, 1.5, 0.5])
    rng, density, draws = np.random.default_rng(7), model_of().density(X, y), 40_000
    states = SliceSampling(burn_in=200, samples=12_000).fresh(model_of(), X, y, rng)
    mean, length = rng.uniform(0, 1.5, draws), rng.uniform(0, 2, draws)
    amplitude, noise = np.exp(rng.standard_normal(draws)), np.exp(rng.normal(-2, 2.5, draws))
    proposed = np.array([mean, amplitude, noise, length]).T
    proposal = norm.logpdf(np.log(amplitude)) - np.log(amplitude) + norm.logpdf(np.log(noise), -2, 2.5) - np.log(noise)
    weights = np.array([density(state) for state in proposed]) - proposal
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
def test_degenerate_observations_give_finite_samples(model_of, X, y):
    states = SliceSampling(burn_in=10, samples=20).fresh(model_of(), X, y, np.random.default_rng(8))
    assert np.isfinite(states).all()
    assert (states[:, 1:] > 0).all()


def test_a_value_that_is_not_a_number_is_one_clear_sentence(model_of):
    X, y = _data(6)
    y[3] = math.nan
    with pytest.raises(Fault, match="check"):
        SliceSampling(burn_in=0, samples=1).fresh(model_of(), X, y, np.random.default_rng(9))


def test_a_chain_off_the_support_is_one_clear_sentence(model_of):
    X, y = _data(6)
    with pytest.raises(Fault, match=r"cannot go on from \[0.0, -1.0, .*, whose log density is -inf; check"):
        SliceSampling(burn_in=0, samples=1).continued(np.array([0, -1.0, 1, 1, 1]), model_of(), X, y, None)


@pytest.mark.parametrize("settings", [{"burn_in": -1, "samples": 1}, {"burn_in": 0, "samples": 0}])
def test_a_setting_that_is_too_low_is_one_sentence(settings):
    with pytest.raises(UserError, match=r"burn_in=.* must be at least 0 and samples=.* at least 1"):
        SliceSampling(**settings)


def test_the_lengths_move_once_a_sweep_and_all_orders_are_equally_likely():
    valued, sweeps = [], 300
    sample(np.zeros(6), lambda x: valued.append(x) or -0.5 * float(x @ x), np.random.default_rng(3), sweeps=sweeps)
    moved = [np.flatnonzero(step) for step in np.diff(valued, axis=0)]  # a move ends where it was valued last
    axes = [axis for axis, _ in groupby(0 if len(step) > 1 else step.item() for step in moved)]
    orders = Counter(zip(*[iter(axes)] * 4, strict=True))  # mean, amplitude and noise together, then the lengths
    assert sorted(orders) == [(0, *order) for order in permutations((3, 4, 5))]
    assert chisquare(list(orders.values())).pvalue > 0.01
