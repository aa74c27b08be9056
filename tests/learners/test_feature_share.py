"""Trees that try a share of the features."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.ensemble import ExtraTreesRegressor

from bayes_hpo.learners.feature_share import FeatureShare


@pytest.mark.parametrize(("share", "tried"), [(0.01, 1), (0.44, 4), (0.46, 5), (0.96, 10), (1.0, 10)])
def test_the_share_is_rounded_to_the_nearest_number_of_features_at_least_one(share, tried):
    learner = FeatureShare(kind=ExtraTreesRegressor, settings={"n_estimators": 2})
    X, y = load_diabetes(return_X_y=True)
    assert X.shape[1] == 10
    model = learner.fit({"max_features": share}, X, y, np.random.default_rng(0))
    assert model.estimator.max_features == tried
