"""Laws and faults of the evaluation: folds, failures, blindness."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.evaluation import Evaluation, WithPredictions, WithTestPredictions
from bayes_hpo.outcomes.predictions import Probabilities, Values
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


class Lacking(Majority):
    """The same, that calls `act()` at a step of a trial: "fit", "predict" its validation or its "selection" rows."""

    def __init__(self, step, act):
        super().__init__()
        self.step, self.lacking, self.steps = step, act, iter(("fit", "predict", "selection"))

    def _next(self):
        if next(self.steps) == self.step:
            self.lacking()

    def fit(self, *arguments):
        self._next()
        return super().fit(*arguments)

    def predict(self, X):
        self._next()
        return super().predict(X)


def _wrapped():
    try:
        np.empty(2**50)
    except MemoryError as problem:
        raise RuntimeError("the solver has failed") from problem


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
    assert (trial.predictions, Evaluation(r).truth) == (None, None)


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
    assert trial.seconds > 0  # of its models, which were trained


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_one_fold_whose_loss_is_no_number_makes_a_failed_trial(repetition, bad):
    evaluate, losses = Evaluation(repetition("kfold_sel")), iter([0.1, 0.2, bad, 0.3, 0.4])
    evaluate._model = lambda fold, configuration: (None, None, next(losses), 0.3, 0)
    trial = evaluate(PROPOSAL)
    assert (trial.status, trial.reason) == (FAILED, f"the loss is {bad}")
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
    assert trials[1].seconds > 0


def test_the_reason_of_a_failure_is_the_first_line_of_what_was_raised(repetition):
    def act(configuration):
        raise ValueError("X contains NaN.\nSee the manual.\n")

    trial = Evaluation(repetition("kfold_sel", act=act))(PROPOSAL)
    assert trial.reason == "ValueError: X contains NaN."


@pytest.mark.parametrize("step", ["fit", "predict", "selection"])
@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (lambda: np.empty(2**50), MemoryError),
        (_wrapped, RuntimeError),
        (Path("no/such/file").read_bytes, FileNotFoundError),
        (lambda: import_module("no_such_module"), ModuleNotFoundError),
    ],
    ids=["memory", "cause", "file", "module"],
)
def test_what_the_process_lacks_is_no_failed_trial(repetition, step, act, kind):
    with pytest.raises(kind):
        Evaluation(replace(repetition(), learner=Lacking(step, act)))(PROPOSAL)


@pytest.mark.parametrize("kind", [ValueError, np.linalg.LinAlgError, FloatingPointError, RuntimeError, RecursionError])
def test_an_error_of_the_learner_on_the_selection_split_is_the_worst_loss_there(repetition, kind):
    def act():
        raise kind("no luck")

    trial = Evaluation(replace(repetition(), learner=Lacking("selection", act)))(PROPOSAL)
    assert (trial.status, trial.selection_losses.tolist()) == (FINISHED, [1.0])
    assert (
        Evaluation(replace(repetition(), learner=Lacking("fit", act)))(PROPOSAL).reason == f"{kind.__name__}: no luck"
    )


@pytest.mark.parametrize("cap", [5000, 30], ids=["no cap", "cap"])
@pytest.mark.parametrize("protocol", ["holdout", "holdout_sel", "kfold", "kfold_sel"])
def test_stored_predictions_reproduce_the_losses_of_every_fold(repetition, protocol, cap):
    evaluate, seen = WithPredictions(replace(repetition(protocol), training_cap=cap)), []
    for configuration in ({"C": 1.0, "tau": 0.1}, {"C": 0.01, "tau": 10.0}, {"C": 1e3, "tau": 30.0}):
        trial, truth = evaluate(Proposal(configuration, 0)), evaluate.truth
        assert trial.losses.tobytes() == Evaluation(evaluate.repetition)(Proposal(configuration, 0)).losses.tobytes()
        wrong = trial.predictions != truth.y
        losses = np.array([wrong[truth.folds == fold].mean() for fold in range(len(trial.losses))])
        assert losses.tobytes() == trial.losses.tobytes()
        seen.append(losses.mean())
        assert {trial.predictions.dtype, truth.y.dtype, truth.folds.dtype} == {np.dtype(np.uint8)}
    assert len(set(seen)) > 1


@pytest.mark.parametrize("cap", [5000, 30], ids=["no cap", "cap"])
@pytest.mark.parametrize("protocol", ["holdout", "kfold", "kfold_sel"])
def test_predictions_stand_fold_after_fold_in_the_order_of_the_rows(iris, repetition, protocol, cap):
    class Names:
        """Knows the number of every row, by a feature that is the row's number, and tells that as its class."""

        def fit(self, configuration, X, y, rng):
            return self

        def predict(self, X):
            return X[:, 0].astype(int)

        unconverged = Majority.unconverged

    numbered = replace(iris, X=np.arange(60.0)[:, None])
    evaluate = WithPredictions(replace(repetition(protocol, data=numbered), learner=Names(), training_cap=cap))
    r = evaluate.repetition
    rows, truth = evaluate(PROPOSAL).predictions, evaluate.truth
    np.testing.assert_array_equal(truth.y, iris.y[rows])
    folds = r.protocol.folds(r.parts, iris.y, 0, r.seeds, training_cap=cap)
    for number, fold in enumerate(folds):
        np.testing.assert_array_equal(rows[truth.folds == number], np.sort(fold.validation))
    assert (np.diff(truth.folds.astype(int)) >= 0).all()
    if (protocol, cap) == ("kfold", 5000):
        assert sorted(rows) == sorted(r.parts.rest)  # every row once, out of fold


@pytest.mark.parametrize("classes", [2, 256, 257])
def test_labels_are_stored_in_the_smallest_type_that_holds_every_class(iris, repetition, classes):
    data = replace(iris, y=iris.y.copy())
    data.y[0] = classes - 1
    evaluate = WithPredictions(repetition("kfold", act=lambda configuration: None, data=data))
    expected = np.uint8 if classes <= 256 else np.uint16
    assert evaluate(PROPOSAL).predictions.dtype == evaluate.truth.y.dtype == expected


def test_a_failed_trial_stores_no_predictions(repetition):
    def act(configuration):
        raise ValueError("no luck")

    assert WithPredictions(repetition("kfold", act=act))(PROPOSAL).predictions is None


def test_rows_of_the_test_part_and_of_the_selection_split_are_in_no_prediction(iris, repetition):
    plain = repetition("kfold_sel")
    hidden = np.concatenate([plain.parts.test, plain.parts.selection])
    X, y = iris.X.copy(), iris.y.copy()
    X[hidden], y[hidden] = np.nan, 2 - y[hidden]
    one, other = WithPredictions(plain), WithPredictions(replace(plain, data=replace(iris, X=X, y=y)))
    assert one(PROPOSAL).predictions.tobytes() == other(PROPOSAL).predictions.tobytes()
    assert one.truth.y.tobytes() == other.truth.y.tobytes()
    assert len(one.truth.y) == len(plain.parts.rest)


def test_predictions_of_reshuffled_splits_are_refused(repetition):
    with pytest.raises(UserError, match="with fixed splits only; choose a protocol such as kfold"):
        WithPredictions(repetition("kfold_r"))


def test_what_is_configured_wrong_ends_the_search_and_is_no_failed_trial(repetition):
    def refuse(configuration):
        raise UserError("learner=mlp is not one of knn, svm")

    with pytest.raises(UserError, match="learner=mlp is not one of knn, svm"):
        Evaluation(repetition(act=refuse))(PROPOSAL)


class Even:
    """A learner whose models find every class equally probable, the second one a little more."""

    def fit(self, configuration, X, y, rng):
        return self

    def predict_proba(self, X):
        assert not np.isnan(X).any()
        return np.tile([0.3, 0.4, 0.3], (len(X), 1))

    def unconverged(self, model):
        return 0


def test_probabilities_are_stored_and_their_most_probable_class_is_counted(iris, repetition):
    r = repetition("holdout")
    r = replace(r, learner=Even(), task=replace(r.task, predictions=Probabilities("float16")))
    evaluate = WithTestPredictions(r)
    trial, y = evaluate(PROPOSAL), evaluate.truth.y
    assert (trial.predictions.shape, trial.predictions.dtype) == ((len(y), 3), np.float16)
    assert (trial.test_predictions.shape, y.dtype) == ((len(r.parts.test), 3), np.uint8)
    assert trial.loss == (y != 1).mean()
    assert trial.blind().test_predictions is None


def test_a_learner_that_fails_on_the_test_part_leaves_the_trial_as_it_is(iris, repetition):
    r = repetition("holdout")
    r = replace(r, learner=Even(), task=replace(r.task, predictions=Probabilities()))
    X = iris.X.copy()
    X[r.parts.test] = np.nan
    blank = replace(r, data=replace(iris, X=X))
    one, other = (WithTestPredictions(given)(PROPOSAL) for given in (r, blank))
    assert other.test_predictions is None
    assert other.test_reason.startswith("AssertionError")
    assert (other.blind().test_reason, one.test_reason) == ("", "")
    assert (other.status, other.losses.tobytes()) == (one.status, one.losses.tobytes())
    assert other.predictions.tobytes() == one.predictions.tobytes()


class Overflowing(Even):
    """Models of values, infinite ones where a feature is missing."""

    def predict(self, X):
        return np.where(np.isnan(X).any(axis=1), np.inf, 1.0)


def test_a_value_of_the_test_part_that_is_not_finite_is_no_prediction(iris, repetition):
    r = repetition("holdout")
    X = iris.X.copy()
    X[r.parts.test[0]] = np.nan
    task = replace(r.task, predictions=Values())
    trial = WithTestPredictions(replace(r, learner=Overflowing(), task=task, data=replace(iris, X=X)))(PROPOSAL)
    assert trial.status == FINISHED
    assert trial.test_predictions is None
    assert trial.test_reason == "a prediction is not finite"


def test_a_trial_of_several_folds_keeps_no_test_predictions(repetition):
    with pytest.raises(UserError, match="several folds has several models; choose a protocol such as holdout"):
        WithTestPredictions(repetition("kfold"))
