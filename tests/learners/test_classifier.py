"""Laws of a classifier of scikit-learn as a learner: its settings and seed reach it, its warnings reach nobody."""

import warnings

import numpy as np
import pytest
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.learners.classifier import Classifier


def _rng(seed=0):
    return np.random.default_rng(seed)


class Loud:
    """A classifier that warns at every turn."""

    def __init__(self, depth=3):
        self.depth = depth

    def fit(self, X, y):
        warnings.warn("collinear", UserWarning, stacklevel=1)
        return self

    def predict(self, X):
        return np.log(np.zeros(len(X))) > 0


def test_the_configuration_and_the_seed_reach_it(iris):
    model = Classifier(DecisionTreeClassifier).fit({"max_depth": 2}, iris.X, iris.y, _rng()).classifier
    seed = int(_rng().integers(2**31))
    assert model.get_params() == DecisionTreeClassifier(max_depth=2, random_state=seed).get_params()
    assert model.get_depth() == 2


@pytest.mark.filterwarnings("error")
def test_a_kind_that_draws_nothing_gets_no_seed_and_its_warnings_reach_nobody(iris):
    learner = Classifier(Loud)
    model = learner.fit({"depth": 5}, iris.X, iris.y, _rng())
    assert model.classifier.depth == 5
    assert not model.predict(iris.X).any()
    assert learner.unconverged(model) == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("max_iter", "expected"), [(1, 1), (1_000_000, 0)])
def test_a_fit_that_meets_its_cap_is_counted_and_not_warned_of(iris, max_iter, expected):
    learner = Classifier(LinearSVC)
    model = learner.fit({"C": 1.0, "max_iter": max_iter}, iris.X, iris.y, _rng())
    assert learner.unconverged(model) == expected


@pytest.mark.parametrize(
    ("configuration", "problem"), [({"depth": 3}, TypeError), ({"max_depth": 0}, ValueError)], ids=["name", "value"]
)
def test_what_the_kind_does_not_take_is_refused(iris, configuration, problem):
    with pytest.raises(problem, match="depth"):
        Classifier(DecisionTreeClassifier).fit(configuration, iris.X, iris.y, _rng())
