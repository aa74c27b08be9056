"""Laws of the conditional kernel: positive definite, blocks equal dense algebra, its base kernel without conditions."""

import numpy as np
import pytest

from bayes_hpo.acquisition.criteria import ExpectedImprovement, Integrated
from bayes_hpo.acquisition.maximize import GradientRefinement, best_candidate
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.conditional import BlockModel, Conditional
from bayes_hpo.surrogates.gp.laplace import Laplace
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.priors import Horseshoe, LogNormal, OfRoot
from bayes_hpo.surrogates.gp.regression import NUGGET
from bayes_hpo.surrogates.gp.slice_sampling import SliceSampling
from bayes_hpo.surrogates.gp.stationary import Matern52

LENGTH = LogNormal(0.0, 1.0, 1e-3, 1e2)
PRIORS = OfRoot(LogNormal(0.0, 1.0)), OfRoot(Horseshoe(1.0)), 0.01
BASES = {"matern 5/2": Matern52(LENGTH), "laplace": Laplace(LENGTH)}
UNIT = {"low": 0.0, "high": 1.0}
DEEP = Space(
    {
        "a": {"choices": ["x", "y", "z"], "ordered": True},
        "b": {"low": 1, "high": 3, "integer": True, "nearest": True, "when": {"a": ["x", "y"]}},
        "c": UNIT | {"when": {"b": [1, 2]}},
        "d": UNIT | {"when": {"a": "x"}},
        "e": UNIT,
    }
)
FLAT = Space(dict.fromkeys("abcde", UNIT))


def _cash():
    node = configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"]["cash"]
    return build(node, "space")


SPACES = {"deep": DEEP, "cash": _cash()}


@pytest.fixture(params=BASES.values(), ids=BASES)
def base(request):
    return request.param


@pytest.fixture(params=SPACES.values(), ids=SPACES)
def space(request):
    return request.param


def _points(space, n, seed=0):
    """Imputed samples (n, d) of a space: some lie on one another."""
    return space.impute(space.round_to_grid(space.from_uniform(np.random.default_rng(seed).random((n, len(space))))))


def _values(X):
    rng = np.random.default_rng(2)
    return np.sin(5 * X).sum(axis=1) / 2 + 0.1 * rng.standard_normal(len(X))


def _states(space, samples=4, seed=3):
    rng = np.random.default_rng(seed)
    lengths = np.exp(rng.standard_normal((samples, len(space))))
    return np.column_stack([rng.normal(0, 0.2, samples), np.exp(rng.normal(0, 0.5, (samples, 2))), lengths])


def _models(base, space):
    """The model over blocks and the dense one that it equals."""
    return BlockModel(base, *PRIORS, space), Model(Conditional(base, space), *PRIORS)


@pytest.mark.parametrize("raw", [False, True], ids=["imputed", "not imputed"])
def test_covariances_are_positive_definite_also_with_duplicates(base, space, raw):
    rng, kernel = np.random.default_rng(8), Conditional(base, space)
    for seed in range(10):
        X = _points(space, 60, seed) if not raw else rng.random((60, len(space)))
        X[20:25] = X[:5]
        theta = 10.0 ** rng.choice([-3, -1, 0, 2], len(space))
        K = 1.7 * (kernel.gram(theta, X) + NUGGET * np.eye(60))
        assert np.array_equal(K, K.T)
        assert np.linalg.eigvalsh(K).min() > 0.5 * NUGGET * 1.7


def test_points_covary_where_their_conditions_are_the_same_and_nowhere_else(base, space):
    X, theta, kernel = _points(space, 80), np.full(len(space), 0.7), Conditional(base, space)
    K, plain = kernel.gram(theta, X), base.gram(theta, X)
    same = np.equal.outer(space.signatures(X), space.signatures(X))
    assert 0 < same.mean() < 1
    np.testing.assert_array_equal(K[same], plain[same])
    assert (K[~same] == 0).all()
    assert (plain[~same] > 0).all()


def test_without_conditions_it_is_its_base_kernel(base):
    X, thetas = np.random.default_rng(1).random((30, 5)), _states(FLAT)[:, 3:]
    kernel = Conditional(base, FLAT)
    np.testing.assert_array_equal(kernel.gram(thetas[0], X), base.gram(thetas[0], X))
    blocks, plain = BlockModel(base, *PRIORS, FLAT), Model(base, *PRIORS)
    y, states = _values(X), _states(FLAT)
    assert blocks.density(X, y)(states[0]) == plain.density(X, y)(states[0])
    points = np.random.default_rng(2).random((40, 5))
    ours, theirs = (model.posterior(states, X, y).moments(points) for model in (blocks, plain))
    np.testing.assert_array_equal(ours, theirs)


def test_the_likelihood_of_blocks_equals_the_dense_one(base, space):
    X = _points(space, 70)
    y = _values(X)
    blocks, dense = (model.density(X, y) for model in _models(base, space))
    states = _states(space, 6)
    moves = [
        *states,
        states[0],
        *(np.where(np.arange(3 + len(space)) == k, 2.0, states[0]) for k in range(len(states))),
    ]
    for state in moves:
        assert blocks(state) == pytest.approx(dense(state), rel=1e-10)
        (value, gradient), (expected, wanted) = (part.likelihood_and_gradient(state) for part in (blocks, dense))
        assert value == pytest.approx(expected, rel=1e-10)
        np.testing.assert_allclose(gradient, wanted, rtol=1e-8, atol=1e-8)


def test_the_moments_of_blocks_equal_the_dense_ones(base, space):
    X = _points(space, 60)
    X = X[space.signatures(X) != space.signatures(X)[0]]  # one block was never visited
    y, states = _values(X), _states(space)
    points = np.concatenate([_points(space, 200, 5), X])
    assert set(space.signatures(points)) > set(space.signatures(X))
    ours, dense = (model.posterior(states, X, y).moments(points) for model in _models(base, space))
    np.testing.assert_allclose(ours, dense, rtol=1e-10, atol=1e-10)


def test_a_block_that_was_never_visited_keeps_its_prior():
    X = _points(DEEP, 30)
    X = X[DEEP.signatures(X) != DEEP.signatures(X)[0]]
    states, elsewhere = _states(DEEP), _points(DEEP, 30)[:1]
    means, variances = BlockModel(BASES["laplace"], *PRIORS, DEEP).posterior(states, X, _values(X)).moments(elsewhere)
    np.testing.assert_array_equal(means[:, 0], states[:, 0])
    np.testing.assert_allclose(variances[:, 0], states[:, 1], rtol=2 * NUGGET)


def test_the_chains_of_blocks_and_of_the_dense_kernel_are_one(base, space):
    X = _points(space, 40)
    chains = [
        SliceSampling(burn_in=2, samples=3).fresh(model, X, _values(X), np.random.default_rng(0))
        for model in _models(base, space)
    ]
    np.testing.assert_allclose(*chains, rtol=1e-6)


def test_expected_improvement_of_blocks_equals_the_dense_one(base, space):
    X = _points(space, 60)
    y = _values(X)
    points = _points(space, 300, 9)
    ours, dense = (
        Integrated(ExpectedImprovement(y.min()), model.posterior(_states(space), X, y)).values(points)
        for model in _models(base, space)
    )
    np.testing.assert_allclose(ours, dense, rtol=1e-8, atol=1e-12)


def test_with_imputation_a_block_depends_on_its_own_hyperparameters_alone():
    """Thesis, 5.4.1: independent processes that share amplitude, noise, mean and lengths."""
    cash, kernel = SPACES["cash"], BASES["matern 5/2"]
    svm = cash.encode([{"learner": "svm", "svm_C": 10.0**k, "svm_tau": 10.0 ** (k / 2)} for k in range(-4, 5)])
    prepared, theta = kernel.prepare(svm), np.exp(np.random.default_rng(0).standard_normal(14))
    assert [k for k in range(14) if kernel.along(k, theta, prepared) is not None] == [2, 3]
    moved = np.where(np.isin(np.arange(14), [2, 3]), theta, 0.01)
    np.testing.assert_array_equal(kernel.gram(theta, svm), kernel.gram(moved, svm))
    gnb = cash.encode([{"learner": "gnb"}] * 3)
    np.testing.assert_array_equal(kernel.gram(theta, gnb), np.ones((3, 3)))


@pytest.mark.parametrize("maximizer", [best_candidate, GradientRefinement(3)], ids=["candidate", "refinement"])
def test_a_maximiser_that_needs_the_dense_model_is_refused_in_one_sentence(maximizer):
    X = _points(DEEP, 20)
    posterior = BlockModel(BASES["laplace"], *PRIORS, DEEP).posterior(_states(DEEP), X, _values(X))
    with pytest.raises(UserError, match="take maximizer best_sample, local_search or first_improvement"):
        maximizer(Integrated(ExpectedImprovement(0.0), posterior), X, None, None)
