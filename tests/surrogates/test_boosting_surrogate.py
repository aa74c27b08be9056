"""Laws of the ensemble of boosted trees; LightGBM by its scikit-learn interface is the witness."""

import re

import numpy as np
import pytest
from lightgbm import LGBMRegressor

from bayes_hpo.configuration.build import build
from bayes_hpo.contracts import Predictive, Surrogate
from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.boosting import Boosting
from tests.configured import configured

SETTINGS = {
    "members": 10,
    "trees": 100,
    "rate": 0.03,
    "leaves": 22,
    "depth": 10,
    "min_leaf": 3,
    "features": 5 / 6,
    "bin_rows": 20000,
    "floor": 1e-10,
}
X = np.random.default_rng(0).random((300, 6))
Y = 5 + 0.2 * (X[:, 0] * X[:, 1] + (X[:, 2] > 0.5))
NEW = np.random.default_rng(1).random((100, 6))


def _fit(y=Y, seed=0, X=X, **changes):
    return Boosting(**SETTINGS | changes).fit(X[: len(y)], y, {}, np.random.default_rng(seed))


def test_moments_are_those_of_its_members_with_their_number_as_divisor():
    fitted = _fit()
    members = fitted.members(NEW)
    mean, variance = fitted.moments(NEW)
    assert members.shape == (10, 100)
    np.testing.assert_allclose(mean, members.mean(axis=0)[None])
    np.testing.assert_allclose(variance, np.maximum(members.var(axis=0), 1e-10)[None])
    assert len(np.unique(members[:, 0])) == 10  # their seeds differ
    assert isinstance(fitted, Predictive)
    assert isinstance(Boosting(**SETTINGS), Surrogate)


def test_with_all_coordinates_a_member_is_lightgbm_on_standardized_targets():
    witness = LGBMRegressor(
        n_estimators=100, learning_rate=0.03, num_leaves=22, max_depth=10, min_child_samples=3, n_jobs=1, verbose=-1
    )
    expected = Y.mean() + Y.std() * witness.fit(X, (Y - Y.mean()) / Y.std()).predict(NEW)
    members = _fit(features=1.0, members=3).members(NEW)
    np.testing.assert_allclose(members, np.tile(expected, (3, 1)), rtol=1e-9)


def _trees(fitted):
    """Frame of the nodes of each member's trees, LightGBM's own, with the number of splits above a node as depth."""
    return [
        booster.trees_to_dataframe().assign(depth=lambda nodes: nodes["node_depth"] - 1) for booster in fitted.boosters
    ]


@pytest.mark.parametrize(("depth", "expected"), [(10, 10), (4, 4), (30, 20)])
def test_no_tree_is_deeper_than_the_depth(depth, expected):
    """Of targets that treble every three rows each split takes the highest three off: 22 leaves would be 20 deep."""
    level = np.repeat(np.arange(30), 3)
    trees = _trees(_fit(3.0**level, X=np.tile(level[:, None] / 30, 6), depth=depth))
    assert {int(nodes["depth"].max()) for nodes in trees} == {expected}


@pytest.mark.parametrize("leaves", [22, 9])
@pytest.mark.parametrize("min_leaf", [3, 7])
def test_trees_have_as_many_leaves_and_these_as_few_rows_as_they_may(leaves, min_leaf):
    for nodes in _trees(_fit(leaves=leaves, min_leaf=min_leaf, members=3)):
        ends = nodes[nodes["left_child"].isna()].groupby("tree_index")["count"]
        assert (ends.size().max(), ends.min().min()) == (leaves, min_leaf)
        assert set(ends.sum()) == {300}  # every tree is grown on all rows


@pytest.mark.parametrize(("features", "most"), [(5 / 6, 5), (0.5, 3), (1.0, 6)])
def test_a_tree_is_grown_on_a_share_of_the_coordinates_which_its_member_s_seed_draws(features, most):
    fitted = _fit(X @ np.arange(1, 7), features=features, members=3)
    used = [nodes.groupby("tree_index")["split_feature"].nunique() for nodes in _trees(fitted)]
    assert {int(numbers.max()) for numbers in used} == {most}
    assert len({booster.params["feature_fraction_seed"] for booster in fitted.boosters}) == 3


def test_members_are_gradient_boosting_of_squared_errors_that_differ_in_their_seed_alone():  # D17
    texts = [booster.model_to_string() for booster in _fit().boosters]
    settings = [dict(re.findall(r"^\[(\w+): (.*)\]$", text, re.MULTILINE)) for text in texts]
    assert len(settings) == 10
    source = {"boosting": "gbdt", "objective": "regression", "num_iterations": "100", "learning_rate": "0.03"}
    source |= {"num_leaves": "22", "max_depth": "10", "min_data_in_leaf": "3", "feature_fraction": "0.833333"}
    source |= {"bagging_fraction": "1", "bagging_freq": "0", "num_threads": "1"}
    assert all(source.items() <= of_member.items() for of_member in settings)
    differing = {name for name in settings[0] if len({of_member[name] for of_member in settings}) > 1}
    assert differing == {"feature_fraction_seed"}


def test_the_members_of_one_binned_data_set_are_those_of_their_own():
    """Sharing the bins changes nothing: a member is the same whichever others are grown before it."""
    together = _fit(members=4).members(NEW)
    for count in (1, 2, 3):
        np.testing.assert_array_equal(_fit(members=count).members(NEW)[-1], together[count - 1])


@pytest.mark.parametrize("sets", [(NEW[:4], NEW[4:30]), (X[:4], X[:40])])
def test_at_all_pairs_of_two_sets_it_predicts_what_it_predicts_pair_by_pair(sets):
    first, second = np.argwhere(~np.eye(40, dtype=bool)).T
    fitted = _fit(np.abs(Y[first] - 2 * Y[second]), X=np.hstack([X[first], X[second]]), members=3)
    pairs = np.array([np.append(first, second) for first in sets[0] for second in sets[1]])
    members = fitted.members_between(*sets)
    assert members.shape == (3, 4, len(sets[1]))
    np.testing.assert_allclose(members.reshape(3, -1), fitted.members(pairs), rtol=1e-12)
    for between, single in zip(fitted.moments_between(*sets), fitted.moments(pairs), strict=True):
        np.testing.assert_allclose(between.ravel(), single[0], rtol=1e-9)


def test_the_bins_of_pairs_follow_from_a_share_of_them():
    """Every value of a pair stands in many of the pairs, so a third of them has all the values."""
    first, second = np.argwhere(~np.eye(40, dtype=bool)).T
    pairs, diversity = np.hstack([X[first], X[second]]), np.abs(Y[first] - Y[second])
    new = np.hstack([NEW[:50], NEW[50:]])
    share, every = (_fit(diversity, X=pairs, bin_rows=rows, members=2).members(new) for rows in (500, 1560))
    np.testing.assert_array_equal(share, every)


def test_it_follows_the_scale_and_the_origin_of_the_targets():
    (mean, variance), (moved, fourfold) = _fit().moments(NEW), _fit(2 * Y - 9).moments(NEW)
    np.testing.assert_allclose(moved, 2 * mean - 9, rtol=1e-6)
    np.testing.assert_allclose(fourfold, 4 * variance, rtol=1e-3, atol=1e-9)


def test_it_is_its_generator_alone():
    first, same, other = (_fit(seed=seed).members(NEW) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)


def test_a_smooth_function_is_predicted_better_than_by_its_mean():
    truth = 5 + 0.2 * (NEW[:, 0] * NEW[:, 1] + (NEW[:, 2] > 0.5))
    assert ((_fit().moments(NEW)[0][0] - truth) ** 2).mean() < 0.1 * truth.var()


@pytest.mark.parametrize("value", [0.0, 0.37])
def test_equal_targets_are_predicted_as_they_are(value):
    mean, variance = _fit(np.full(300, value)).moments(NEW)
    np.testing.assert_allclose(mean, value, atol=1e-15)
    np.testing.assert_array_equal(variance, 1e-10)


@pytest.mark.parametrize("n", [2, 5, 20])
def test_few_rows_are_no_hindrance(n):
    mean, variance = _fit(Y[:n]).moments(NEW)
    assert np.isfinite(mean).all()
    assert np.abs(mean - Y[:n].mean()).max() < np.ptp(Y[:n])
    assert variance.min() > 0


def test_rows_that_are_all_the_same_are_no_hindrance():
    mean, _ = _fit(Y[:20], X=np.full((20, 6), 0.5)).moments(NEW)
    np.testing.assert_allclose(mean, Y[:20].mean())


def test_the_configured_one_has_the_settings_of_the_source(grid_of):  # docs/decisions.md, DivBO
    node = grid_of().cfg["searchers"]["divbo"]["diversity"]
    assert build(node, "diversity") == Boosting(**SETTINGS)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"members": 0}, "diversity.members=0 must be at least 1"),
        ({"leaves": 1}, "diversity.leaves=1 must be at least 2"),
        ({"rate": 0.0}, "diversity.rate=0 must be above 0 and at most 1"),
        ({"features": 1.5}, "diversity.features=1.5 must be above 0 and at most 1"),
        ({"floor": 0.0}, "diversity.floor=0 must be above 0"),
    ],
)
def test_a_setting_off_its_limits_is_told_in_one_sentence(change, sentence):
    with pytest.raises(UserError, match=r"^[^\n]+$") as problem:
        configured(Boosting, "diversity", **SETTINGS | change)
    assert sentence in str(problem.value)
