"""Laws and faults of the evaluation: folds, failures, blindness."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.evaluation import Evaluation
from bayes_hpo.pool import FAILED, FINISHED, Proposal
from bayes_hpo.repetition import Repetition

PROPOSAL = Proposal({"C": 1.0, "tau": 0.1}, 0)


class Majority:
    """A learner that predicts the most frequent class of its training rows, after `act(configuration)`."""

    def __init__(self, act=lambda configuration: None):
        self.act = act

    def fit(self, configuration, X, y, rng):
        self.act(configuration)
        self.label = np.bincount(y).argmax()
        return self

    def predict(self, X):
        return np.full(len(X), self.label)

    def unconverged(self, model):
        return 1


@pytest.fixture
def repetition(iris, toy_job):
    """Function: a repetition of iris, its learner the toy job's or another one."""

    def make(protocol="holdout_sel_r", act=None, data=iris):
        made = Repetition.of(toy_job(protocol=protocol), data, 0)
        return made if act is None else replace(made, learner=Majority(act))

    return make


def _bits(trial):
    return trial.losses.tobytes(), trial.status, trial.selection_losses.tobytes()


@pytest.mark.parametrize(
    ("protocol", "folds"), [("holdout", 1), ("holdout_sel_r", 1), ("kfold_r", 5), ("kfold_sel", 5)]
)
def test_a_trial_holds_the_loss_of_every_fold(iris, repetition, protocol, folds):
    r = repetition(protocol, act=lambda configuration: None)
    trial = Evaluation(r)(PROPOSAL)
    drawn = r.protocol.folds(r.parts, iris.y, 0, r.seeds, training_cap=5000)
    expected = [(iris.y[f.validation] != np.bincount(iris.y[f.train]).argmax()).mean() for f in drawn]
    np.testing.assert_array_equal(trial.losses, expected)
    assert trial.losses.shape == (folds,)
    assert trial.unconverged == folds
    assert (trial.selection_losses is None) == ("sel" not in protocol)
    assert trial.status == FINISHED
    assert trial.predictions is None


def test_the_selection_loss_is_that_of_the_same_models(iris, repetition):
    r = repetition("kfold_sel", act=lambda configuration: None)
    labels = iris.y[r.parts.selection]
    folds = r.protocol.folds(r.parts, iris.y, 0, r.seeds, training_cap=5000)
    expected = [(labels != np.bincount(iris.y[fold.train]).argmax()).mean() for fold in folds]
    np.testing.assert_array_equal(Evaluation(r)(PROPOSAL).selection_losses, expected)


@pytest.mark.parametrize(("protocol", "moves"), [("holdout", False), ("holdout_r", True), ("kfold", False)])
def test_only_reshuffled_splits_follow_the_round(repetition, protocol, moves):
    seen = []
    r = repetition(protocol)
    learner = Majority()
    learner.fit = lambda c, X, y, rng: seen.append(X.tobytes()) or Majority.fit(learner, c, X, y, rng)
    evaluate = Evaluation(replace(r, learner=learner))
    for round_ in (0, 0, 1):
        evaluate(replace(PROPOSAL, round=round_))
    assert len(seen) == 3 * r.protocol.validation.folds
    first, same, next_ = np.array_split(seen, 3)
    assert list(first) == list(same)
    assert (list(first) != list(next_)) == moves


@pytest.mark.parametrize("protocol", ["holdout_sel_r", "kfold_sel"])
@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize("part", ["test", "selection"])
def test_hidden_rows_move_no_validation_loss(iris, repetition, protocol, fitted, part):
    data = replace(iris, fitted=fitted)
    plain = repetition(protocol, data=data)
    X, y = data.X.copy(), data.y.copy()
    X[getattr(plain.parts, part)] = np.nan
    hidden = replace(plain, data=replace(data, X=X, y=y))
    for round_ in (0, 3):
        one, other = (Evaluation(r)(replace(PROPOSAL, round=round_)) for r in (plain, hidden))
        assert one.losses.tobytes() == other.losses.tobytes()
        assert (one.status, one.reason) == (other.status, other.reason) == (FINISHED, "")
        if part == "test":
            assert _bits(one) == _bits(other)
        else:
            assert (other.selection_losses > one.selection_losses).all()


@pytest.mark.filterwarnings("ignore:.*empty slice", "ignore:invalid value")
def test_an_error_rate_of_no_rows_makes_a_failed_trial_of_the_worst_loss(repetition):
    evaluate = Evaluation(repetition("kfold_sel", act=lambda configuration: None))
    whole, *others = evaluate._folds(0)
    evaluate._folds = lambda round_: [replace(whole, validation=whole.validation[:0]), *others]
    trial = evaluate(PROPOSAL)
    assert (trial.status, trial.reason) == (FAILED, "the loss is nan")
    assert trial.losses.tolist() == trial.selection_losses.tolist() == [1.0] * 5


def test_a_learner_that_raises_makes_a_failed_trial_and_the_next_is_done(repetition):
    def act(configuration):
        if configuration["C"] < 0:
            raise ValueError("C is below 0")

    evaluate = Evaluation(repetition("kfold_sel", act=act))
    trials = [evaluate(Proposal({"C": c}, 0)) for c in (1.0, -1.0, 1.0)]
    assert [trial.status for trial in trials] == [FINISHED, FAILED, FINISHED]
    assert trials[1].reason == "ValueError: C is below 0"
    assert trials[1].losses.tolist() == trials[1].selection_losses.tolist() == [1.0] * 5
