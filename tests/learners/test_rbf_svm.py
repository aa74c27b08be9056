"""Laws of the support vector machine: it is scikit-learn's SVC with gamma = tau, and it tells its iteration cap."""

import numpy as np
import pytest
from chapter_5 import cash
from sklearn.datasets import load_diabetes, load_digits
from sklearn.svm import SVC

from bayes_hpo.errors import UserError
from bayes_hpo.learners import rbf_svm
from bayes_hpo.learners.rbf_svm import RbfSvm, RbfSvr
from tests.configured import configured

ENOUGH = 1_000_000
RNG = None  # it draws nothing


def _margins(configuration, X, y):
    fitted = RbfSvm(ENOUGH).fit(configuration, X, y, RNG)
    return np.concatenate([margins for _, margins in fitted.margins(X)]).T


@pytest.mark.parametrize("held", [299, 300], ids=["libsvm's kernel", "kernel held whole"])
@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("C", [0.01, 1.0, 1e3])
@pytest.mark.parametrize("gamma", [1e-3, 0.02, 10.0])
def test_it_is_the_svc_of_scikit_learn_with_gamma_tau(monkeypatch, held, classes, C, gamma):
    monkeypatch.setattr(rbf_svm, "PRECOMPUTED", held)
    X, y = load_digits(n_class=classes, return_X_y=True)
    X, y, others = X[:300] / 4, np.array(["a", "b", *"cdefghij"])[y[:300]], X[300:600] / 4
    theirs = SVC(C=C, kernel="rbf", gamma=gamma, decision_function_shape="ovo").fit(X, y)
    ours = RbfSvm(ENOUGH).fit({"C": C, "tau": gamma}, X, y, RNG)
    expected = theirs.decision_function(others)
    expected = -expected[:, None] if classes == 2 else expected  # of two classes, theirs is the second's margin
    margins = np.concatenate([margins for _, margins in ours.margins(others)]).T
    np.testing.assert_allclose(margins, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(ours.predict(others), theirs.predict(others))


def test_of_classes_with_equally_many_duels_the_first_wins_as_in_libsvm():
    rng = np.random.default_rng(0)
    X, y, others = rng.normal(size=(100, 2)), rng.integers(5, size=100), rng.normal(size=(1000, 2))
    ours, theirs = RbfSvm(ENOUGH).fit({"C": 1.0, "tau": 1.0}, X, y, RNG), SVC(C=1.0, gamma=1.0).fit(X, y)
    np.testing.assert_array_equal(ours.predict(others), theirs.predict(others))
    won = np.zeros((1000, 5))
    for one, margins in ours.margins(others):
        won[:, one] += np.sum(margins > 0, axis=0)
        won[:, one + 1 :] += margins.T <= 0
    assert np.sum(np.sum(won == won.max(axis=1, keepdims=True), axis=1) > 1) > 10  # or nothing was tested


@pytest.mark.parametrize("other", [{"C": 1.0, "tau": 3.0}, {"C": 0.01, "tau": 0.1}], ids=["tau", "C"])
def test_each_hyperparameter_counts(iris, other):
    assert not np.allclose(_margins({"C": 1.0, "tau": 0.1}, iris.X, iris.y), _margins(other, iris.X, iris.y))


def test_the_kernel_of_many_rows_is_not_held_whole(iris, monkeypatch):
    whole = []
    kernels = {"rbf": lambda X, Y, gamma: whole.append(len(X)) or np.exp(-gamma * X @ X.T)}
    monkeypatch.setattr(rbf_svm, "KERNELS", kernels)
    for held in (59, 60):
        monkeypatch.setattr(rbf_svm, "PRECOMPUTED", held)
        RbfSvm(ENOUGH).fit({"C": 1.0, "tau": 1e-3}, iris.X, iris.y, RNG)
    assert whole == [60]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("max_iter", "expected"), [(1, 1), (ENOUGH, 0)])
def test_a_fit_that_meets_its_cap_is_counted_and_not_warned_of(iris, max_iter, expected):
    learner = RbfSvm(max_iter)
    assert learner.unconverged(learner.fit({"C": 10.0, "tau": 0.5}, iris.X, iris.y, RNG)) == expected


@pytest.mark.parametrize(("factor", "shift"), [(1000.0, 5.0), (1e-6, -3.0)])
def test_the_regression_is_in_the_unit_of_the_target(factor, shift):
    """epsilon and C are those of a standardized target, so another unit changes the unit of the values alone."""
    learner, configuration = RbfSvr(ENOUGH), {"C": 3.0, "gamma": 30.0, "epsilon": 0.2}
    X, y = load_diabetes(return_X_y=True)
    values = learner.fit(configuration, X, y, RNG).predict(X)
    assert np.corrcoef(values, y)[0, 1] > 0.5
    scaled = learner.fit(configuration, X, factor * y + shift, RNG).predict(X)
    np.testing.assert_allclose(scaled, factor * values + shift, rtol=1e-3)


def test_one_class_cannot_be_learned(iris):
    with pytest.raises(ValueError, match="class"):
        RbfSvm(ENOUGH).fit({"C": 1.0, "tau": 1.0}, iris.X, np.zeros_like(iris.y), RNG)


@pytest.mark.parametrize("cap", [0, -7])
@pytest.mark.parametrize(
    "learner",
    [lambda cap: configured(RbfSvm, "study.learner", max_iter=cap), lambda cap: cash(svm={"max_iter": cap})],
    ids=["RbfSvm", "Cash"],
)
def test_a_cap_below_one_iteration_is_one_sentence(learner, cap):
    with pytest.raises(UserError, match=rf"^study\.learner\..*max_iter={cap} must be at least 1$"):
        learner(cap)
