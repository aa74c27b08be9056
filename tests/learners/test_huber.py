"""Laws of gradient boosting with the Huber loss: the models are scikit-learn's."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor

from bayes_hpo.errors import UserError
from bayes_hpo.learners.huber import HuberBoosting


def _rows(rng, n):
    X = rng.normal(size=(n, 4))
    return X, X[:, 0] ** 2 + X[:, 1] + rng.standard_t(2, size=n)  # with outliers


@pytest.mark.parametrize("alpha", [1e-4, 0.3, 0.5, 0.9999])
@pytest.mark.parametrize("max_depth", [1, 3, 15])
@pytest.mark.parametrize("digits", [0, 8])  # without decimals targets are tied
def test_the_model_is_that_of_scikit_learn(alpha, max_depth, digits):
    X, y = _rows(np.random.default_rng(0), 81)
    X_new, _ = _rows(np.random.default_rng(1), 50)
    configuration = {"max_depth": max_depth, "learning_rate": 0.3, "alpha": alpha}
    seed = int(np.random.default_rng(2).integers(2**31))
    expected = GradientBoostingRegressor(loss="huber", n_estimators=20, random_state=seed, **configuration)
    expected.fit(X, y.round(digits))
    learner = HuberBoosting(settings={"n_estimators": 20})
    model = learner.fit(configuration, X, y.round(digits), np.random.default_rng(2))
    np.testing.assert_array_equal(model.predict(X_new), expected.predict(X_new))
    assert learner.unconverged(model) == 0


def test_the_model_of_a_constant_target_is_the_constant():
    X, _ = _rows(np.random.default_rng(0), 20)
    model = HuberBoosting().fit({}, X, np.full(20, 2.5), np.random.default_rng(0))
    np.testing.assert_array_equal(model.predict(X), 2.5)


def test_the_loss_is_no_setting_and_no_hyperparameter():
    with pytest.raises(TypeError, match="loss"):
        HuberBoosting().fit({"loss": "quantile"}, *_rows(np.random.default_rng(0), 20), np.random.default_rng(0))
    with pytest.raises(UserError, match="n_estimators"):
        HuberBoosting(settings={"n_estimators": 0})
