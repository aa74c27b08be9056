"""Laws of slice sampling: known distributions, densities on a grid, exact draws, importance sampling as witnesses."""

import math
from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare, expon, kstest, norm

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.surrogates.gp.laplace import Laplace
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.priors import LogNormal, Uniform, log_bracket
from bayes_hpo.surrogates.gp.slice_sampling import Chain, SliceSampling, sample, slice_move
from bayes_hpo.surrogates.gp.stationary import Matern52
from tests.configured import configured

PRIORS = {"uniform": Uniform(0.0, 2.0), "log-normal": LogNormal(0.0, 1.0, 1e-3, 1e2)}


def _data(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    return X, 10 * (X**2).sum(axis=1) + rng.standard_normal(n)


@pytest.mark.parametrize(
    ("law", "log_density", "bracket"),
    [
        (norm(3, 0.2), lambda z: -0.5 * ((z - 3) / 0.2) ** 2, lambda z, rng: (-5, 12)),
        (norm(-1, 5), lambda z: -0.5 * ((z + 1) / 5) ** 2, lambda z, rng: log_bracket(z, 0, math.inf, rng)),
        (expon(), lambda z: -z if z > 0 else -math.inf, lambda z, rng: log_bracket(z, 0, math.inf, rng)),
    ],
    ids=["in a fixed bracket", "wider than its brackets", "with an end"],
)
def test_one_slice_move_keeps_its_distribution(law, log_density, bracket):
    rng, z, draws = np.random.default_rng(0), law.mean(), []
    for _ in range(12_000):
        z = slice_move(log_density, z, log_density(z), *bracket(z, rng), rng)
        draws.append(z)
    assert kstest(draws[100::24], law.cdf).pvalue > 0.01


def test_the_bracket_shrinks_to_the_draws_that_lie_below_the_slice():
    visited = []
    slice_move(
        lambda z: visited.append(z) or (0.0 if abs(z) < 1e-9 else -math.inf), 0.0, 0.0, -1, 1, np.random.default_rng(2)
    )
    draws = np.array(visited)
    assert abs(draws[-1]) < 1e-9
    for side in (draws[draws < 0], -draws[draws > 0]):
        assert (np.diff(np.abs(side)) < 0).all()


def test_a_density_that_rounding_lowers_everywhere_leaves_the_number_where_it_is():
    assert slice_move(lambda z: -1e-9, 0.3, 0.0, -1, 1, Late()) == 0.3


def test_a_hyperparameter_at_its_bound_that_stays_there_keeps_its_value_and_its_likelihood(monkeypatch):
    """exp(log 100) lies above 100, where the prior has no density."""
    X, y = _data(8)
    density = Model(Matern52(LogNormal(0.0, 1.0, 1e-3, 100.0)), *[LogNormal(0.0, 1.0)] * 2, 0.1).density(X, y)
    state = np.array([y.mean(), 1.0, 0.1, 100.0, 100.0])
    chain = Chain(density, state)
    move = "bayes_hpo.surrogates.gp.slice_sampling.slice_move"
    monkeypatch.setattr(move, lambda log_density, z, *_: log_density(1.0) and z)
    chain._move_kernel(1, np.random.default_rng(0))
    np.testing.assert_array_equal(chain.state, state)
    assert chain.log_likelihood() == pytest.approx(density(state) - density.log_prior(state), rel=1e-12)


class Late(np.random.Generator):
    """A generator whose first number is zero: the slice lies as high as it can."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))

    def random(self):
        return 0.0


def test_a_bracket_of_logarithms_lies_evenly_around_the_point_and_within_the_support():
    rng = np.random.default_rng(0)
    low, high = np.array([log_bracket(1.0, 0, math.inf, rng) for _ in range(4000)]).T
    np.testing.assert_allclose(high - low, 4)
    assert kstest((1 - low) / 4, "uniform").pvalue > 0.01
    cut = [log_bracket(0.0, math.exp(-0.5), math.exp(0.25), rng) for _ in range(100)]
    assert min(low for low, _ in cut) == -0.5
    assert max(high for _, high in cut) == pytest.approx(0.25)


MOVES = {  # the coordinate of a state (mean, amplitude, noise, lengths), and what a move of it adds to the log density
    "mean": (lambda s, z: np.array([z, *s[1:]]), lambda z: 0, lambda s: s[0], Chain._move_mean, (-0.6, 1.3)),
    "scale": (
        lambda s, z: s * np.array([1, math.exp(z), math.exp(z), *np.ones(len(s) - 3)]),
        lambda z: 2 * z,
        lambda s: math.log(s[1] / 0.8),
        Chain._move_scale,
        (-6, 8),
    ),
    "noise": (
        lambda s, z: np.array([*s[:2], math.exp(z), *s[3:]]),
        lambda z: z,
        lambda s: math.log(s[2]),
        Chain._move_noise,
        (-18, 4),
    ),
    "length": (
        lambda s, z: np.array([*s[:4], math.exp(z), *s[5:]]),
        lambda z: z,
        lambda s: math.log(s[4]),
        lambda chain, rng: chain._move_kernel(1, rng),
        (-6.9, 4.6),
    ),
}


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
@pytest.mark.parametrize("kernel", [Matern52, Laplace])
@pytest.mark.parametrize(("place", "slope", "read", "move", "ends"), MOVES.values(), ids=MOVES)
def test_every_move_alone_draws_from_the_density_along_its_line(prior, kernel, place, slope, read, move, ends):
    """The density of whole states on a grid of 3,000 points is the witness."""
    rng = np.random.default_rng(1)
    X = rng.random((6, 2))
    y = np.sin(4 * X[:, 0]) + 0.3 * rng.standard_normal(6)
    density = Model(kernel(prior), LogNormal(0.0, 1.0), LogNormal(-2.0, 1.0), 0.1).density(X, y)
    state = np.array([y.mean(), 0.8, 0.1, 0.7, 0.9])
    grid = np.linspace(*ends, 3000)
    heights = np.array([density(place(state, z)) + slope(z) for z in grid])
    mass = np.exp(heights - heights.max())
    cumulated = np.append(0, np.cumsum((mass[1:] + mass[:-1]) / 2))
    chain, draws = Chain(density, state), []
    for _ in range(6000):
        move(chain, rng)
        draws.append(read(chain.state))
    assert kstest(draws[::10], lambda z: np.interp(z, grid, cumulated / cumulated[-1])).pvalue > 0.01


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
def test_a_sweep_leaves_exact_draws_exact(prior):
    """States from the prior, values from each state: after a sweep the states are still draws from the prior."""
    rng, n, after = np.random.default_rng(2), 5, []
    amplitude, noise, model = LogNormal(0.0, 0.7), LogNormal(-2.0, 1.0), None
    model = Model(Matern52(prior), amplitude, noise, 0.1)
    X = rng.random((n, 1))
    for _ in range(1500):
        length = 2 * rng.random() if prior.high == 2 else np.exp(rng.standard_normal())
        state = np.array([rng.random(), np.exp(0.7 * rng.standard_normal()), np.exp(rng.normal(-2, 1)), length])
        K = state[1] * (model.kernel.gram(state[3:], X) + 1e-6 * np.eye(n)) + state[2] * np.eye(n)
        density = model.density(X, state[0] + np.linalg.cholesky(K) @ rng.standard_normal(n))
        density.bounds = 0.0, 1.0  # a prior of the mean that is one, whatever the values are
        after.append(sample(state, density, rng, sweeps=2)[-1])
    mean, amplitudes, noises, lengths = np.array(after).T
    assert kstest(mean, "uniform").pvalue > 0.01
    assert kstest(np.log(amplitudes), norm(0, 0.7).cdf).pvalue > 0.01
    assert kstest(np.log(noises), norm(-2, 1).cdf).pvalue > 0.01
    expected = (lambda x: x / 2) if prior.high == 2 else (lambda x: norm.cdf(np.log(x)))
    assert kstest(lengths, expected).pvalue > 0.01


def test_a_chain_knows_the_likelihood_where_it_stands(model_of, kernel):
    X, y = _data(15)
    density, rng = model_of(kernel).density(X, y), np.random.default_rng(3)
    chain = Chain(density, model_of(kernel).start(X, y))
    for _ in range(20):
        state = chain.sweep(rng)
        assert chain.log_likelihood() == pytest.approx(density(state) - density.log_prior(state), rel=1e-9)


def test_a_chain_cut_in_two_is_the_same_chain(model_of):
    X, y = _data(8)
    start, density = model_of().start(X, y), model_of().density(X, y)
    whole = sample(start, density, np.random.default_rng(5), sweeps=9)
    rng = np.random.default_rng(5)
    first = sample(start, density, rng, sweeps=4)
    np.testing.assert_allclose(np.concatenate([first, sample(first[-1], density, rng, sweeps=5)]), whole, rtol=1e-9)


def test_a_fresh_chain_burns_in_and_goes_on(model_of):
    X, y = _data(8)
    model, chain = model_of(), SliceSampling(burn_in=6, samples=3)
    whole = replace(chain, burn_in=0, samples=9).fresh(model, X, y, np.random.default_rng(5))
    np.testing.assert_array_equal(chain.fresh(model, X, y, np.random.default_rng(5)), whole[6:])
    rng = np.random.default_rng(6)
    continued = chain.continued(whole[-1], model, X, y, rng)
    np.testing.assert_array_equal(continued, sample(whole[-1], model.density(X, y), np.random.default_rng(6), sweeps=3))
    assert continued.shape == (3, 5)


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
    with pytest.raises(RunError, match="check"):
        SliceSampling(burn_in=0, samples=1).fresh(model_of(), X, y, np.random.default_rng(9))


def test_a_chain_off_the_support_is_one_clear_sentence(model_of):
    X, y = _data(6)
    with pytest.raises(RunError, match=r"cannot go on from \[0.0, -1.0, .*, whose log density is -inf; check"):
        SliceSampling(burn_in=0, samples=1).continued(np.array([0, -1.0, 1, 1, 1]), model_of(), X, y, None)


@pytest.mark.parametrize(
    ("setting", "words"),
    [({"burn_in": -1}, "burn_in=-1 must be at least 0"), ({"samples": 0}, "samples=0 must be at least 1")],
)
def test_a_setting_that_is_too_low_is_one_sentence(setting, words):
    with pytest.raises(UserError, match=rf"^hyperparameters\.{words}$"):
        configured(SliceSampling, "hyperparameters", **{"burn_in": 0, "samples": 1} | setting)


def test_the_kernels_hyperparameters_move_once_a_sweep_and_all_orders_are_equally_likely(model_of, monkeypatch):
    moved, sweeps, X = [], 300, np.random.default_rng(0).random((4, 3))
    monkeypatch.setattr(Chain, "_move_kernel", lambda chain, k, rng: moved.append(int(k)))
    density, start = model_of().density(X, X[:, 0]), model_of().start(X, X[:, 0])
    sample(start, density, np.random.default_rng(3), sweeps=sweeps)
    orders = Counter(zip(*[iter(moved)] * 3, strict=True))
    assert sorted(orders) == list(permutations(range(3)))
    assert chisquare(list(orders.values())).pvalue > 0.01
