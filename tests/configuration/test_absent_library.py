"""A library that a learner of the configuration needs and that is not installed is one sentence that says how."""

import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError


def node(kind):
    return {"_target_": "bayes_hpo.learners.estimator.Estimator", "kind": kind}


def test_an_absent_library_is_named_with_what_installs_it():
    with pytest.raises(
        UserError, match=r"^learner.kind: there is no lightboost.Boost \([^\n]*; install it with: pip [^\n]*\)$"
    ):
        build(node("lightboost.Boost"), "learner")


def test_an_installed_one_without_the_name_is_not_to_be_installed():
    for kind in ("sklearn.boost.Boost", "sklearn.svm.Boost"):
        with pytest.raises(UserError, match=f"there is no {kind}") as problem:
            build(node(kind), "learner")
        assert "install" not in str(problem.value)
