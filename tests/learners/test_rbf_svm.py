"""Laws of the support vector machine: it is scikit-learn's SVC with gamma = tau, and it tells its iteration cap."""

import numpy as np
import pytest
from sklearn.svm import SVC

from bayes_hpo.learners.rbf_svm import RbfSvm

ENOUGH = 1_000_000
RNG = None  # it draws nothing


def _decisions(configuration, data):
    return RbfSvm(ENOUGH).fit(configuration, data.X, data.y, RNG).decision_function(data.X)


@pytest.mark.parametrize("C", [0.01, 1.0, 1e3])
@pytest.mark.parametrize("tau", [1e-3, 0.3, 10.0])
def test_it_is_the_svc_of_scikit_learn_with_gamma_tau(iris, C, tau):
    theirs = SVC(C=C, kernel="rbf", gamma=tau).fit(iris.X, iris.y)
    ours = RbfSvm(ENOUGH).fit({"C": C, "tau": tau}, iris.X, iris.y, RNG)
    np.testing.assert_array_equal(ours.predict(iris.X), theirs.predict(iris.X))
    np.testing.assert_allclose(ours.decision_function(iris.X), theirs.decision_function(iris.X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("other", [{"C": 1.0, "tau": 3.0}, {"C": 0.01, "tau": 0.1}], ids=["tau", "C"])
def test_each_hyperparameter_counts(iris, other):
    assert not np.allclose(_decisions({"C": 1.0, "tau": 0.1}, iris), _decisions(other, iris))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("max_iter", "expected"), [(1, 1), (ENOUGH, 0)])
def test_a_fit_that_meets_its_cap_is_counted_and_not_warned_of(iris, max_iter, expected):
    learner = RbfSvm(max_iter)
    assert learner.unconverged(learner.fit({"C": 10.0, "tau": 0.5}, iris.X, iris.y, RNG)) == expected


def test_one_class_cannot_be_learned(iris):
    with pytest.raises(ValueError, match="class"):
        RbfSvm(ENOUGH).fit({"C": 1.0, "tau": 1.0}, iris.X, np.zeros_like(iris.y), RNG)
