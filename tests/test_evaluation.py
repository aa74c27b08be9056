"""Laws and faults of the evaluation: folds, failures, time limit, blindness, no orphan."""

import os
import re
import signal
import sys
import time
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest

from bayes_hpo.errors import Fault
from bayes_hpo.evaluation import Evaluation, Worker
from bayes_hpo.pool import FAILED, FINISHED, TIMED_OUT, Proposal
from bayes_hpo.repetition import Repetition

PROPOSAL = Proposal({"C": 1.0, "tau": 0.1}, 0)


class Majority:
    """A learner that predicts the most frequent class of its training rows, after `act(configuration)`."""

    def __init__(self, act=lambda configuration: None):
        self.act = act

    def fit(self, configuration, X, y):
        self.act(configuration)
        self.label = np.bincount(y).argmax()
        return self

    def predict(self, X):
        return np.full(len(X), self.label)

    def unconverged(self, model):
        return 1


def _never_in_python():
    while True:
        pass


def _never_in_c():
    re.match(r"(a*)*b", "a" * 60)


def _never_with_the_lock():
    sum(range(10**15))


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
    learner.fit = lambda configuration, X, y: seen.append(X.tobytes()) or Majority.fit(learner, configuration, X, y)
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


def test_a_learner_that_raises_makes_a_failed_trial_and_the_next_is_done(repetition):
    def act(configuration):
        if configuration["C"] < 0:
            raise ValueError("C is below 0")

    evaluation = Evaluation(repetition("kfold_sel", act=act))
    with Worker(evaluation, 60.0) as worker:
        for evaluate in (evaluation, worker):
            trials = [evaluate(Proposal({"C": c}, 0)) for c in (1.0, -1.0, 1.0)]
            assert [trial.status for trial in trials] == [FINISHED, FAILED, FINISHED]
            assert trials[1].reason == "ValueError: C is below 0"
            assert trials[1].losses.tolist() == trials[1].selection_losses.tolist() == [1.0] * 5


def test_a_worker_gives_the_same_trials_as_the_process_itself(repetition):
    r = repetition("kfold_sel_r")
    proposals = [replace(PROPOSAL, round=t, memory={"chain": np.arange(3.0)}) for t in range(3)]
    with Worker(Evaluation(r), 60.0) as worker:
        for ours, theirs in zip(map(worker, proposals), map(Evaluation(r), proposals), strict=True):
            assert _bits(ours) == _bits(theirs)
            assert ours.proposal.memory["chain"].tobytes() == theirs.proposal.memory["chain"].tobytes()


@pytest.mark.parametrize(
    "never",
    [_never_in_python, _never_in_c, _never_with_the_lock, lambda: time.sleep(1000)],
    ids=["python", "C", "lock", "sleep"],
)
def test_what_does_not_end_is_ended_and_the_next_trial_is_done(repetition, never):
    with Worker(Evaluation(repetition(act=lambda c: never() if c["C"] < 0 else None)), 0.3) as worker:
        start = time.monotonic()
        lost, done = worker(Proposal({"C": -1.0}, 0)), worker(PROPOSAL)
        assert time.monotonic() - start < 5
    assert (lost.status, lost.reason) == (TIMED_OUT, "no end within time_limit=0.3 s")
    assert lost.losses.tolist() == lost.selection_losses.tolist() == [1.0]
    assert lost.seconds == 0.3
    assert (done.status, done.reason) == (FINISHED, "")


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda: os._exit(7), 7),
        (lambda: os.kill(os.getpid(), signal.SIGUSR1), -10),
        (lambda: sys.exit("learner"), 1),
    ],
    ids=["exit", "crash", "system exit"],
)
def test_a_process_that_dies_makes_a_failed_trial(repetition, end, code):
    with Worker(Evaluation(repetition(act=lambda c: end() if c["C"] < 0 else None)), 60.0) as worker:
        trials = [worker(Proposal({"C": c}, 0)) for c in (1.0, -1.0, -1.0, 1.0)]
    assert [trial.status for trial in trials] == [FINISHED, FAILED, FAILED, FINISHED]
    assert trials[1].reason == f"its process ended with code {code}"
    assert trials[1].loss == 1.0
    assert _bits(trials[0]) == _bits(trials[3])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_killed_from_outside_spoils_no_trial(repetition, number):
    kill = repetition(act=lambda c: os.kill(os.getpid(), number) if c["C"] < 0 else None)
    with Worker(Evaluation(kill), 60.0) as worker, pytest.raises(Fault, match="was killed from outside"):
        worker(Proposal({"C": -1.0}, 0))


def test_the_time_limit_holds_for_each_trial_by_itself(repetition):
    with Worker(Evaluation(repetition(act=lambda c: time.sleep(0.1))), 0.35) as worker:
        assert [worker(PROPOSAL).status for _ in range(4)] == [FINISHED] * 4
        time.sleep(0.4)  # a searcher may think for longer than a trial may take
        assert worker(PROPOSAL).status == FINISHED


def _is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("busy", [None, _never_in_c, _never_with_the_lock], ids=["idle", "C", "lock"])
def test_no_worker_outlives_a_killed_search(repetition, busy):
    ours, theirs = get_context("fork").Pipe()

    def search():
        def act(configuration):
            theirs.send(os.getpid())
            if busy:
                busy()

        with Worker(Evaluation(repetition(act=act)), 600.0) as worker:
            worker(PROPOSAL)
            time.sleep(600)

    parent = get_context("fork").Process(target=search)
    parent.start()
    pid = ours.recv()
    assert _is_alive(pid)
    os.kill(parent.pid, signal.SIGKILL)
    parent.join()
    deadline = time.monotonic() + 5
    while _is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    outlived = _is_alive(pid)
    if outlived:
        os.kill(pid, signal.SIGKILL)
    assert not outlived


def test_a_worker_ends_with_its_block(repetition):
    with Worker(Evaluation(repetition(act=lambda c: None)), 60.0) as worker:
        worker(PROPOSAL)
        process = worker._process
        assert process.is_alive()
    assert not process.is_alive()
