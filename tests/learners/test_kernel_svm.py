"""Laws of the support vector machine of four kernels: scikit-learn's SVC with the kernel's own hyperparameters."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.svm import SVC

from bayes_hpo.errors import UserError
from bayes_hpo.learners import rbf_svm
from bayes_hpo.learners.kernel_svm import KernelSvm, kernel_of
from tests.configured import configured

RNG = None  # it draws nothing
CONFIGURATION = {"C": 0.5, "width": 0.002, "degree": 3, "intercept": 0.7}
LEARNER = KernelSvm(least_iterations=100_000, iterations_per_row=20)
OF_SCIKIT_LEARN = {  # kernel: what of the configuration its SVC has
    "linear": {},
    "rbf": {"gamma": 0.002},
    "poly": {"degree": 3, "coef0": 0.7, "gamma": "auto"},
    "sigmoid": {"gamma": 0.002, "coef0": 0.7},
}


@pytest.mark.parametrize("held", [299, 300], ids=["libsvm's kernel", "kernel held whole"])
@pytest.mark.parametrize("kernel", OF_SCIKIT_LEARN)
def test_it_is_the_svc_of_scikit_learn(monkeypatch, held, kernel):
    monkeypatch.setattr(rbf_svm, "PRECOMPUTED", held)
    X, y = load_digits(n_class=4, return_X_y=True)
    X, y, others = X[:300] / 4, y[:300], X[300:600] / 4
    theirs = SVC(C=0.5, kernel=kernel, **OF_SCIKIT_LEARN[kernel]).fit(X, y)
    ours = LEARNER.fit({"kernel": kernel} | CONFIGURATION, X, y, RNG)
    assert len(np.unique(theirs.predict(others))) > 1
    np.testing.assert_array_equal(ours.predict(others), theirs.predict(others))


@pytest.mark.parametrize("kernel", OF_SCIKIT_LEARN)
def test_a_kernel_has_its_own_hyperparameters_alone(kernel):
    ours = kernel_of({"kernel": kernel} | CONFIGURATION, p=8)
    assert ours == {"kernel": kernel} | OF_SCIKIT_LEARN[kernel] | ({"gamma": 1 / 8} if kernel == "poly" else {})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("least", "per_row", "capped"), [(1, 1, True), (1, 10_000, False), (100_000, 1, False)])
def test_the_larger_of_two_caps_counts(iris, least, per_row, capped):
    learner = KernelSvm(least_iterations=least, iterations_per_row=per_row)
    fitted = learner.fit({"kernel": "linear"} | CONFIGURATION | {"C": 100.0}, iris.X, iris.y, RNG)
    assert learner.unconverged(fitted) == capped


@pytest.mark.parametrize("setting", ["least_iterations", "iterations_per_row"])
def test_a_cap_below_one_iteration_is_one_sentence(setting):
    settings = {"least_iterations": 1, "iterations_per_row": 1, setting: 0}
    with pytest.raises(UserError, match=rf"{setting}=0 must be at least 1$"):
        configured(KernelSvm, "study.learner", **settings)
