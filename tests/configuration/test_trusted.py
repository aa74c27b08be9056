"""A configuration names code of this package and classes of the learners' libraries, and runs no other."""

import pytest

from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.trusted import LIBRARIES, check_trusted
from bayes_hpo.errors import UserError

SEARCH = ["study=overfitting", "scale=toy", "dataset=sklearn-iris", "searcher=random", "protocol=holdout"]
LEARNER = "study.learner._target_=bayes_hpo.learners.estimator.Estimator"


@pytest.mark.parametrize(
    "override",
    [
        "study.learner._target_=os.system",
        "searcher._target_=subprocess.Popen",
        "study.learner._target_=sklearn.svm.SVC",
        "protocol._target_=bayes_hpo_elsewhere.Protocol",
    ],
)
def test_other_code_than_the_packages_is_refused_before_it_is_imported(override):
    name, _, value = override.partition("=")
    with pytest.raises(UserError, match=rf"^{name}={value} is not code of bayes_hpo; "):
        configure("search", [*SEARCH, override])


@pytest.mark.parametrize("kind", ["subprocess.Popen", "os.system", "sklearn_elsewhere.Model"])
def test_a_learner_of_another_library_is_refused_wherever_it_stands(kind):
    with pytest.raises(UserError, match=f"learners.one.0.kind={kind} is not code of {', '.join(LIBRARIES)}"):
        check_trusted({"learners": {"one": [{"_target_": "bayes_hpo.learners.estimator.Estimator", "kind": kind}]}})


def test_every_estimator_of_the_libraries_is_accepted():
    check_trusted([{"kind": f"{library}.Model"} for library in LIBRARIES])
    check_trusted({"kind": "classification", "note": "os.system"})
