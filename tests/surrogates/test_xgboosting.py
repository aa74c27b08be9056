"""The ensemble of XGBoost's trees: its scikit-learn interface is the witness; what it is handed is held without it."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.contracts import Predictive, Surrogate
from bayes_hpo.surrogates.xgboosting import XGBoosting

X = np.random.default_rng(0).random((200, 5))
Y = 5 + 0.2 * X[:, 0] * X[:, 1]
NEW = np.random.default_rng(1).random((40, 5))
SETTINGS = {"members": 3, "trees": 20, "rate": 0.1, "depth": 4, "min_leaf": 3, "features": 0.8, "floor": 1e-10}


def test_a_member_is_xgboost_on_standardized_targets():
    xgboost = pytest.importorskip("xgboost", reason="the extra boosting is not installed")
    fitted = XGBoosting(**SETTINGS | {"features": 1.0}).fit(X, Y, {}, np.random.default_rng(0))
    witness = xgboost.XGBRegressor(
        n_estimators=20, learning_rate=0.1, max_depth=4, min_child_weight=3, n_jobs=1, random_state=7
    )
    expected = Y.mean() + Y.std() * witness.fit(X, (Y - Y.mean()) / Y.std()).predict(NEW)
    np.testing.assert_allclose(fitted.members(NEW), [expected] * 3, rtol=1e-5)


def test_members_differ_in_their_seeds_and_their_spread_is_the_variance():
    pytest.importorskip("xgboost", reason="the extra boosting is not installed")
    fitted = XGBoosting(**SETTINGS).fit(X, Y, {}, np.random.default_rng(0))
    members = fitted.members(NEW)
    assert len(np.unique(members[:, 0])) == 3
    mean, variance = fitted.moments(NEW)
    np.testing.assert_allclose(mean, members.mean(axis=0)[None])
    np.testing.assert_allclose(variance, np.maximum(members.var(axis=0), 1e-10)[None])
    assert isinstance(fitted, Predictive)
    assert isinstance(XGBoosting(**SETTINGS), Surrogate)


def test_a_member_is_handed_the_recipe_and_standardized_targets(monkeypatch):  # D18
    """Of a library that records what it is handed, as the extra may be absent."""
    handed = []

    class Recorder:
        def __init__(self, **settings):
            handed.append(settings)

        def fit(self, points, targets):
            np.testing.assert_array_equal(points, X)
            np.testing.assert_allclose(targets, (Y - Y.mean()) / Y.std())
            return self

        def predict(self, points):
            return np.full(len(points), -2.0)

    monkeypatch.setitem(sys.modules, "xgboost", SimpleNamespace(XGBRegressor=Recorder))
    fitted = XGBoosting(**SETTINGS).fit(X, Y, {}, np.random.default_rng(0))
    assert len({settings.pop("random_state") for settings in handed}) == 3
    recipe = {"n_estimators": 20, "learning_rate": 0.1, "max_depth": 4, "min_child_weight": 3, "colsample_bytree": 0.8}
    assert handed == [recipe | {"n_jobs": 1}] * 3
    np.testing.assert_allclose(fitted.members(NEW), Y.mean() - 2 * Y.std())
