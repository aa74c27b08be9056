"""The learners of DivBO's AutoGluon-like space (table 12): each fits at its default and at drawn configurations."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from bayes_hpo.campaign.needs import lacking
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written

if absent := lacking("divbo_autogluon"):
    pytest.skip(absent, allow_module_level=True)
SPACE = build(written("space", "divbo_autogluon"), "space")


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine], ids=["two classes", "three classes"])
@pytest.mark.parametrize("algorithm", SPACE.parameters["algorithm"].values)
def test_every_algorithm_fits_and_is_deterministic(algorithm, load):
    learner, (X, y) = build(written("learner", "divbo_autogluon"), "learner"), load(return_X_y=True)
    X, y = X[:300], y[:300]
    arm = SPACE.arm(algorithm)
    for configuration in (arm.default(), arm.sample(np.random.default_rng(2))):
        p, again = (
            learner.fit(configuration, X[::2], y[::2], np.random.default_rng(1)).predict_proba(X[1::2])
            for _ in range(2)
        )
        assert p.shape == (len(y[1::2]), y.max() + 1)
        np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)
        np.testing.assert_array_equal(p, again)
        assert np.mean(p.argmax(axis=1) == y[1::2]) > 0.6
