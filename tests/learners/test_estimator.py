"""Laws of an estimator as a learner: settings, hyperparameters and seed reach it, its warnings reach nobody."""

import warnings

import numpy as np
import pytest
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.learners.estimator import Estimator


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
    model = Estimator(DecisionTreeClassifier).fit({"max_depth": 2}, iris.X, iris.y, _rng()).estimator
    seed = int(_rng().integers(2**31))
    assert model.get_params() == DecisionTreeClassifier(max_depth=2, random_state=seed).get_params()
    assert model.get_depth() == 2


def test_a_hyperparameter_stands_for_the_argument_that_it_names_or_for_those_of_its_value(iris):
    meaning = {"depth": "max_depth", "kind": {"plain": {}, "fair": {"class_weight": "balanced", "max_depth": 9}}}
    learner = Estimator(DecisionTreeClassifier, {"max_depth": 7, "min_samples_leaf": 4}, meaning)

    def fitted(**configuration):
        model = learner.fit(configuration | {"min_samples_split": 6}, iris.X, iris.y, _rng()).estimator
        return [model.get_params()[name] for name in ("max_depth", "class_weight", "min_samples_leaf")]

    assert fitted() == [7, None, 4]
    assert fitted(depth=2, kind="plain") == [2, None, 4]
    assert fitted(depth=2, kind="fair") == [9, "balanced", 4]  # the later counts
    assert fitted(kind="fair", depth=2) == [2, "balanced", 4]


@pytest.mark.parametrize("settings", [{"depth": 3}, {"max_depth": "deep"}, {"max_depth": 0}])
def test_settings_that_the_kind_refuses_are_told_before_any_search(settings):
    with pytest.raises(UserError, match=r"^settings=[^\n]*depth[^\n]*$"):
        Estimator(DecisionTreeClassifier, settings)


def test_a_kind_that_does_not_exist_is_told_before_any_search():
    node = {"_target_": "bayes_hpo.learners.estimator.Estimator", "kind": "sklearn.svm.Perceptron"}
    with pytest.raises(UserError, match=r"learner\.kind: there is no sklearn\.svm\.Perceptron"):
        build(node, "learner")


@pytest.mark.filterwarnings("error")
class HandsOn(DecisionTreeClassifier):
    """As XGBClassifier: its signature names no seed, but its base takes one."""

    def __init__(self, *, max_depth=None, **others):
        super().__init__(max_depth=max_depth, **others)


def test_the_seed_reaches_the_base_of_a_kind_that_hands_its_arguments_on(iris):
    assert Estimator(HandsOn).fit({}, iris.X, iris.y, _rng()).estimator.random_state == int(_rng().integers(2**31))


def test_a_kind_that_draws_nothing_gets_no_seed_and_its_warnings_reach_nobody(iris):
    learner = Estimator(Loud)
    model = learner.fit({"depth": 5}, iris.X, iris.y, _rng())
    assert model.estimator.depth == 5
    assert not model.predict(iris.X).any()
    assert learner.unconverged(model) == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("max_iter", "expected"), [(1, 1), (1_000_000, 0)])
def test_a_fit_that_meets_its_cap_is_counted_and_not_warned_of(iris, max_iter, expected):
    learner = Estimator(LinearSVC)
    model = learner.fit({"C": 1.0, "max_iter": max_iter}, iris.X, iris.y, _rng())
    assert learner.unconverged(model) == expected


@pytest.mark.parametrize(
    ("configuration", "problem"), [({"depth": 3}, TypeError), ({"max_depth": 0}, ValueError)], ids=["name", "value"]
)
def test_what_the_kind_does_not_take_is_refused(iris, configuration, problem):
    with pytest.raises(problem, match="depth"):
        Estimator(DecisionTreeClassifier).fit(configuration, iris.X, iris.y, _rng())
