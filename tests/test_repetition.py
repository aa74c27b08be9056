"""Laws of a repetition: what a model is trained on, by the study's preparation."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.pool import Proposal
from bayes_hpo.repetition import Repetition

STANDARDISED = {"_target_": "bayes_hpo.data.preparation.standardised"}
PROPOSAL = Proposal({"C": 1.0, "tau": 0.1}, 0)


class Witness:
    """A learner that keeps what it is trained on, and predicts by the sign of the first feature."""

    def __init__(self):
        self.seen = []

    def fit(self, configuration, X, y, rng):
        self.seen.append(X)
        return self

    def predict(self, X):
        return (X[:, 0] > 0).astype(int)

    def unconverged(self, model):
        return 0


@pytest.fixture
def repetition(toy_job, iris):
    """Function: a repetition whose data are standardised once, with a Witness for a learner."""

    def make(data=iris, protocol="kfold_sel"):
        made = Repetition.of(toy_job(protocol=protocol, preparation=STANDARDISED, test_percent=20), data, 0)
        return replace(made, learner=Witness())

    return make


def with_gaps(data):
    X = data.X.copy()
    X[::7, 1] = np.nan
    return replace(data, X=X)


@pytest.mark.parametrize("fitted", [False, True], ids=["untouched source", "fitted source"])
@pytest.mark.parametrize("value", [np.nan, 1e9])
def test_no_test_row_changes_what_a_model_is_trained_on(iris, repetition, value, fitted):
    data = replace(with_gaps(iris), fitted=fitted)
    one = repetition(data)
    X = data.X.copy()
    X[one.parts.test] = value
    other = repetition(replace(data, X=X))
    trials = [Evaluation(r)(PROPOSAL) for r in (one, other)]
    for r in (one, other):
        r.fit(PROPOSAL.configuration, r.parts.visible)
    assert len(one.learner.seen) == 6
    for ours, theirs in zip(one.learner.seen, other.learner.seen, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(trials[0].losses, trials[1].losses)
    np.testing.assert_array_equal(trials[0].selection_losses, trials[1].selection_losses)


def test_every_model_of_a_repetition_sees_the_same_features_of_a_row(iris, repetition):
    r = repetition(replace(iris, fitted=True))
    r.fit(PROPOSAL.configuration, r.parts.visible)
    whole = dict(zip(r.parts.visible, r.learner.seen[0], strict=True))
    for fold in r.protocol.folds(r.parts, iris.y, 0, r.seeds, training_cap=5000):
        r.fit(PROPOSAL.configuration, fold.train)
        np.testing.assert_array_equal(r.learner.seen[-1], [whole[row] for row in fold.train])


def test_the_rows_beside_the_test_part_have_mean_0_and_deviation_1(iris, repetition):
    r = repetition(with_gaps(iris))
    visible = r.data.X[r.parts.visible]
    np.testing.assert_allclose(visible.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(visible.std(axis=0), 1)
    assert abs(r.data.X[r.parts.test].mean()) > 1e-6


def test_a_given_test_part_is_prepared_by_the_other_rows(iris, repetition):
    given = replace(iris, X=np.arange(60.0)[:, None], given_test=np.arange(50, 60))
    r = repetition(given)
    np.testing.assert_allclose(r.data.X[:, 0], (np.arange(60) - 24.5) / np.arange(50).std())


def test_the_source_decides_where_the_study_leaves_it_to_the_source(iris, toy_job):
    for data in (iris, replace(with_gaps(iris), fitted=True)):
        assert Repetition.of(toy_job(), data, 0).data is data


def test_a_preparation_that_is_not_there_is_named(iris, toy_job):
    job = toy_job(preparation={"_target_": "bayes_hpo.data.preparation.whitened"})
    with pytest.raises(UserError, match=r"study.preparation._target_: there is no bayes_hpo.data.preparation.whitened"):
        Repetition.of(job, iris, 0)
