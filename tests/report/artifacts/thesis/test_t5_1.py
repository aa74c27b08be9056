"""Table 5.1 sets the conditional space that is searched beside the printed one."""

from types import SimpleNamespace

import pytest
from thesis_artifacts import function

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.measures.search_space import SearchSpace

table = function("T5_1")


@pytest.fixture(scope="module")
def cells():
    """The cells of the table of conf/space/cash.yaml."""
    node = configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"]["cash"]
    rows = SearchSpace(space=build(node, "space"))(None)
    return table(SimpleNamespace(measure={"search_space": rows}.__getitem__)).cells


def test_every_range_that_is_searched_is_the_printed_one(cells):
    assert len(cells) == 14
    ranges = cells.drop(index="learner")
    assert ranges["ours"].tolist() == ranges["published"].tolist()
    assert cells.loc["svm_tau", "published"] == "1e-05 to 100000, real, log"
    assert cells.loc["dt_min_samples_leaf", "published"] == "2 to 100, int, linear"


def test_the_choice_is_among_the_nine_learners_in_their_order(cells):
    assert cells.loc["learner", "ours"] == "knn, svm, linsvm, dt, rf, adab, gnb, lda, qda"
    assert cells.loc["learner", "published"] == "9 classifiers"
