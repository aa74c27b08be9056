"""Laws of SMAC's forest."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.forest import FittedForest, Forest
from tests.configured import configured

SETTINGS = {"trees": 10, "features": 5 / 6, "min_split": 3, "min_leaf": 3, "depth": 20, "floor": 1e-5}
FOREST = Forest(**SETTINGS)
X = np.random.default_rng(0).random((150, 5))
SMOOTH = X[:, 0] ** 2 + 0.3 * X[:, 1]


def _fit(y=SMOOTH, seed=0, **changes):
    return Forest(**SETTINGS | changes).fit(X[: len(y)], y, {}, np.random.default_rng(seed))


def _nodes(forest):
    """Of all nodes of a forest: rows, which are leaves, impurity."""
    trees = [tree.tree_ for tree in forest.trees]
    parts = [(tree.n_node_samples, tree.children_left < 0, tree.impurity) for tree in trees]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _fake(leaf, means, variances, counts):
    """A tree in which every point lies in one leaf."""
    nodes = SimpleNamespace(
        value=np.array(means)[:, None, None], impurity=np.array(variances), n_node_samples=np.array(counts)
    )
    return SimpleNamespace(tree_=nodes, apply=lambda points, check_input: np.full(len(points), leaf))


class _NoBootstrap:
    """A generator that draws every row once, in order."""

    @staticmethod
    def integers(high, size=None):
        return np.arange(size) if size else 0


@pytest.mark.parametrize("value", [0.0, 0.37, -5.0])
def test_a_constant_is_predicted_as_it_is_and_as_sure_as_can_be(value):
    mean, variance = _fit(np.full(150, value)).moments(np.random.default_rng(1).random((50, 5)))
    np.testing.assert_allclose(mean, np.full((1, 50), value), rtol=1e-14)
    np.testing.assert_array_equal(variance, np.full((1, 50), 1e-5))


def test_a_piecewise_constant_function_is_found_again_away_from_its_jumps():
    blocks = (X[:, 0] > 0.5) + 2.0 * (X[:, 1] > 0.3)
    inside = (np.abs(X[:, 0] - 0.5) > 0.1) & (np.abs(X[:, 1] - 0.3) > 0.1)
    mean, variance = _fit(blocks, features=1.0).moments(X[inside])
    np.testing.assert_allclose(mean[0], blocks[inside], atol=1e-12)
    np.testing.assert_array_equal(variance, np.full_like(variance, 1e-5))


def test_a_smooth_function_is_predicted_better_than_by_its_mean():
    new = np.random.default_rng(1).random((300, 5))
    truth = new[:, 0] ** 2 + 0.3 * new[:, 1]
    error = _fit().moments(new)[0][0] - truth
    assert (error**2).mean() < 0.2 * truth.var()


@pytest.mark.parametrize("floor", [1e-5, 0.01])
def test_no_variance_is_below_the_floor_and_others_are_as_they_were(floor):
    points = np.random.default_rng(1).random((300, 5))
    free, floored = _fit(floor=1e-12).moments(points)[1], _fit(floor=floor).moments(points)[1]
    np.testing.assert_array_equal(floored, np.maximum(free, floor))
    assert free.max() > 0.01 > free.min()


def test_mean_and_variance_follow_the_law_of_total_variance():
    trees = [_fake(1, [9.0, 2.0], [9.0, 0.4], [9, 3]), _fake(0, [5.0, 9.0], [0.6, 9.0], [4, 9])]
    mean, variance = FittedForest(trees, 1e-5).moments(np.zeros((3, 5)))
    np.testing.assert_allclose(mean, np.full((1, 3), 3.5))
    between, within = np.var([2.0, 5.0], ddof=1), (0.4 * 3 / 2 + 0.6 * 4 / 3) / 2
    np.testing.assert_allclose(variance, np.full((1, 3), between + within))


def test_a_lone_tree_predicts_mean_and_variance_of_the_rows_in_its_leaf():
    forest = Forest(**SETTINGS | {"trees": 1}).fit(X, SMOOTH, {}, _NoBootstrap)
    leaves = forest.trees[0].apply(X)
    mean, variance = forest.moments(X)
    for leaf in set(leaves):
        rows = SMOOTH[leaves == leaf]
        np.testing.assert_allclose(mean[0, leaves == leaf], rows.mean())
        np.testing.assert_allclose(variance[0, leaves == leaf], max(rows.var(ddof=1), 1e-5))


def test_a_doubled_target_doubles_the_mean_and_quadruples_the_variance():
    (mean, variance), (twice, fourfold) = (_fit(k * SMOOTH, floor=1e-300).moments(X) for k in (1, 2))
    np.testing.assert_array_equal(twice, 2 * mean)
    np.testing.assert_array_equal(fourfold, 4 * variance)


def test_a_forest_is_its_generators_alone():
    one, same, other = (_fit(seed=seed).moments(X) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one[0], other[0])


def test_leaves_and_splits_hold_their_minimums_and_trees_their_depth():
    rows, leaf, _ = _nodes(_fit())
    assert rows[leaf].min() == 3
    assert rows[~leaf].min() < 12
    rows, leaf, _ = _nodes(_fit(min_leaf=7))
    assert rows[leaf].min() == 7
    rows, leaf, _ = _nodes(_fit(min_split=40, min_leaf=1))
    assert 40 <= rows[~leaf].min() < 60
    assert rows[leaf].max() < 40
    assert {tree.get_depth() for tree in _fit(depth=4).trees} == {4}


def test_a_node_that_can_be_split_is():
    rows, leaf, impurity = _nodes(_fit(np.random.default_rng(2).random(150), min_split=2, min_leaf=1))
    assert impurity[leaf].max() < 1e-12  # down to one row, however often it was drawn
    assert (rows[leaf] > 1).any()


def test_a_bootstrap_draws_as_many_rows_as_there_are_with_replacement():
    forest = _fit(np.random.default_rng(2).random(150), trees=200, min_split=2, min_leaf=1)
    assert {tree.tree_.n_node_samples[0] for tree in forest.trees} == {150}
    distinct = np.mean([tree.get_n_leaves() for tree in forest.trees])  # each leaf is one row
    assert distinct / 150 == pytest.approx(1 - (1 - 1 / 150) ** 150, abs=0.01)
    assert len({tree.tree_.value[0, 0, 0] for tree in forest.trees}) > 190


def test_a_split_looks_at_the_share_of_the_features():
    y = np.repeat([0.0, 1.0], 75)
    points = np.column_stack([y, *np.random.default_rng(1).random((2, 150))])  # one feature tells all
    for features, share in [(1.0, 1.0), (0.7, 2 / 3), (0.4, 1 / 3)]:
        forest = Forest(**SETTINGS | {"features": features, "trees": 200}).fit(points, y, {}, np.random.default_rng(0))
        assert np.mean([tree.tree_.feature[0] == 0 for tree in forest.trees]) == pytest.approx(share, abs=0.08)


@pytest.mark.parametrize("n", [1, 2])
def test_few_rows_make_a_forest_that_says_the_same_everywhere(n):
    mean, variance = _fit(SMOOTH[:n]).moments(X)
    assert np.ptp(mean) == np.ptp(variance) == 0
    assert SMOOTH[:n].min() <= mean[0, 0] <= SMOOTH[:n].max()
    assert np.isfinite(variance).all()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"trees": 0}, "surrogate.trees=0 must be at least 1"),
        ({"min_split": 1}, "surrogate.min_split=1 must be at least 2"),
        ({"min_leaf": 0}, "surrogate.min_leaf=0 must be at least 1"),
        ({"depth": 0}, "surrogate.depth=0 must be at least 1"),
        ({"features": 0.0}, "surrogate.features=0 must be above 0 and at most 1"),
        ({"features": 1.1}, "surrogate.features=1.1 must be above 0 and at most 1"),
        ({"floor": 0.0}, "surrogate.floor=0 must be above 0"),
    ],
)
def test_a_setting_off_its_limits_is_told_in_one_sentence(change, sentence):
    with pytest.raises(UserError, match=r"^[^\n]+$") as problem:
        configured(Forest, "surrogate", **SETTINGS | change)
    assert sentence in str(problem.value)
