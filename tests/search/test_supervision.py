"""Faults of the process that searches run in: time limit, stops, crashes, lacks, kills, no orphan."""

import ctypes
import faulthandler
import os
import re
import signal
import sys
import threading
import time
from importlib import import_module
from multiprocessing import get_context

import numpy as np
import pytest

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.pool import FAILED, FINISHED, TIMED_OUT, Proposal, Trial
from bayes_hpo.search.supervision import supervised

pytestmark = pytest.mark.slow  # every test starts a process


class Acts:
    """An evaluation that calls `act(number)` and then gives the loss `number / 10`."""

    def __init__(self, act=lambda number: None):
        self.act = act

    def __call__(self, proposal):
        self.act(proposal.round)
        return Trial(proposal, losses=np.array([proposal.round / 10]))

    def failed(self, proposal, reason, status=FAILED):
        return Trial(proposal, np.array([1.0]), status, reason=reason)


@pytest.fixture
def search(tmp_path):
    """Function: trials of a search for proposals 0, 1, ..., that goes on from the trials it has noted in a file."""

    def run(act=lambda number: None, count=4, time_limit=60.0, pause=0.0):
        noted, evaluate = tmp_path / "noted", Acts(act)

        def work(limited):
            for number in range(len(noted.read_text().splitlines()) if noted.exists() else 0, count):
                trial = limited(evaluate, Proposal({}, number))
                with open(noted, "a", encoding="utf-8") as stream:
                    stream.write(f"{number}|{trial.status}|{trial.loss}|{trial.seconds}|{trial.reason}\n")
                time.sleep(pause)
            return [line.split("|") for line in noted.read_text().splitlines()]

        return supervised(work, time_limit)

    return run


@pytest.fixture
def noting(tmp_path):
    """Function: an act that notes its call and then does `act`; its attribute `calls()` is their number so far."""

    def make(act):
        def noted():
            with open(tmp_path / "calls", "ab") as stream:
                stream.write(b".")
            act()

        noted.calls = (tmp_path / "calls").stat  # of the bytes in there
        return noted

    return make


def _never_in_python():
    while True:
        pass


def _never_in_c():
    re.match(r"(a*)*b", "a" * 60)


def _never_with_the_lock():
    sum(range(10**15))


def _crash(number):
    faulthandler.disable()  # pytest's, which would print the stack
    os.kill(os.getpid(), number)


def _only(number, act):
    return lambda given: act() if given == number else None


def test_the_work_returns_what_it_returns_in_a_process_of_its_own():
    assert supervised(lambda limited: os.getppid(), 60.0) == os.getpid()


def test_without_trouble_every_trial_is_the_evaluations(search):
    assert [trial[:3] for trial in search()] == [[str(n), FINISHED, str(n / 10)] for n in range(4)]


@pytest.mark.parametrize(
    "never",
    [_never_in_python, _never_in_c, _never_with_the_lock, lambda: time.sleep(1000)],
    ids=["python", "C", "lock", "sleep"],
)
@pytest.mark.parametrize("number", [0, 2])
def test_what_does_not_end_is_ended_and_the_next_trial_is_done(search, never, number):
    start = time.monotonic()
    trials = search(_only(number, never), time_limit=0.3)
    assert time.monotonic() - start < 30
    assert trials.pop(number) == [str(number), TIMED_OUT, "1.0", "0.3", "no end within time_limit=0.3 s"]
    assert [trial[1] for trial in trials] == [FINISHED] * 3


def test_what_waits_for_ever_is_tried_three_times(search, noting):
    never = noting(lambda: time.sleep(1000))
    assert [trial[1] for trial in search(_only(1, never), time_limit=0.5)].count(TIMED_OUT) == 1
    assert never.calls().st_size == 3


def test_tries_are_those_of_one_trial(search, noting):
    never = noting(lambda: time.sleep(1000))
    trials = search(lambda number: never() if number in (1, 2) else None, time_limit=0.5)
    assert [trial[1] for trial in trials] == [FINISHED, TIMED_OUT, TIMED_OUT, FINISHED]
    assert never.calls().st_size == 6


def _use(seconds):
    """Use CPU time, however long that takes on a busy machine."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_what_has_used_its_time_is_tried_once(search, noting, monkeypatch):
    monkeypatch.setattr("bayes_hpo.search.supervision.GRACE", 600.0)  # however busy the machine is

    def use():
        signal.setitimer(signal.ITIMER_REAL, 0)
        _use(0.3)
        os.kill(os.getpid(), signal.SIGALRM)

    never = noting(use)
    assert [trial[1] for trial in search(_only(1, never), time_limit=0.3)].count(TIMED_OUT) == 1
    assert never.calls().st_size == 1


def test_time_used_before_the_trial_does_not_count(noting):
    never = noting(lambda: time.sleep(1000))

    def work(limited):
        _use(0.3)
        return limited(Acts(lambda number: never()), Proposal({}, 0)).status

    assert supervised(work, 0.3) == TIMED_OUT
    assert never.calls().st_size == 3


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda: os._exit(7), 7),
        (lambda: os._exit(0), 0),
        (lambda: _crash(signal.SIGSEGV), -signal.SIGSEGV),
        (lambda: _crash(signal.SIGABRT), -signal.SIGABRT),
        (lambda: sys.exit("learner"), 1),
    ],
    ids=["exit", "exit 0", "crash", "abort", "system exit"],
)
def test_trials_that_end_the_process_fail_and_the_next_are_done(search, end, code):
    trials = search(lambda number: end() if number in (1, 2) else None)
    assert [trial[1] for trial in trials] == [FINISHED, FAILED, FAILED, FINISHED]
    assert trials[1][2:] == ["1.0", "0.0", f"its process ended with code {code}"]


def _write_to_nothing():
    """What C code does that does not check whether it was given memory."""
    faulthandler.disable()
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    ctypes.memset(libc.malloc(2**45), 0, 1)


def test_a_crash_where_memory_is_limited_is_no_failed_trial(search, in_child):
    code, problem = in_child(lambda: search(_only(1, _write_to_nothing)), memory=2**28)
    assert (code, type(problem)) == (0, RunError)
    assert f"code {-signal.SIGSEGV} where memory is limited" in str(problem)
    assert "its finished trials are kept" in str(problem)
    assert [trial[1] for trial in search()] == [FINISHED] * 4


def _kill_itself(number):
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)  # tests may run under nohup, which ignores SIGHUP
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGXCPU, signal.SIGHUP])
def test_a_kill_from_outside_spoils_no_trial(search, number):
    with pytest.raises(RunError, match="was killed from outside"):
        search(_only(1, lambda: _kill_itself(number)))
    assert [trial[1] for trial in search()] == [FINISHED] * 4


def test_an_end_between_two_trials_is_no_trials_fault(search):
    def work(limited):
        limited(Acts(), Proposal({}, 0))
        os._exit(3)

    with pytest.raises(RunError, match="ended between two trials with code 3"):
        supervised(work, 60.0)


def test_an_end_after_an_evaluation_that_has_raised_is_no_trials_fault():
    def work(limited):
        try:
            limited(Acts(lambda number: np.empty(2**50)), Proposal({}, 0))
        except MemoryError:
            os._exit(3)

    with pytest.raises(RunError, match="ended between two trials with code 3"):
        supervised(work, 60.0)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: np.ones(2**27), "MemoryError: Unable to allocate 1.00 GiB"),
        (lambda: threading.stack_size(2**30) or threading.Thread().start(), "can't start new thread"),
        (lambda: os.stat("no/such/file"), r"FileNotFoundError: .*'no/such/file'"),
        (lambda: import_module("no_such_module"), "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
    ids=["memory", "thread", "file", "module"],
)
def test_what_the_work_lacks_is_one_sentence(in_child, act, said):
    code, problem = in_child(lambda: supervised(lambda limited: act(), 60.0), memory=2**28)
    assert (code, type(problem)) == (0, RunError)
    assert re.fullmatch(rf"the search lacks memory, .* \(.*{said}.*\); run it again .*", str(problem))


class OddError(Exception):
    """An error that does not survive a pipe."""

    def __init__(self, one, two):
        super().__init__("odd")
        self.held = lambda: (one, two)


@pytest.mark.parametrize(
    ("problem", "arrives", "match"),
    [
        (RunError("no space"), RunError, "^no space$"),
        (UserError("budget=0"), UserError, "^budget=0$"),
        (OddError(1, 2), RuntimeError, r"(?s)^OddError: odd\n.*in work"),
    ],
)
def test_what_the_work_raises_arrives(problem, arrives, match):
    def work(limited):
        raise problem

    with pytest.raises(arrives, match=match):
        supervised(work, 60.0)


def test_a_process_that_a_learner_leaves_behind_keeps_nobody_waiting(search):
    def leave():
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        _never_in_python()

    start = time.monotonic()
    assert [trial[1] for trial in search(_only(1, leave), time_limit=0.3)].count(TIMED_OUT) == 1
    assert time.monotonic() - start < 30


def test_an_orphan_ends_with_its_trial():
    def adopted(limited):
        limited._parent = -1  # as when the search was killed on a system that does not kill its child
        limited(Acts(), Proposal({}, 0))

    with pytest.raises(RunError, match="ended between two trials with code 1"):
        supervised(adopted, 60.0)


def test_the_limit_holds_where_the_alarm_is_ignored(search):
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        trials = search(_only(1, lambda: time.sleep(5)), time_limit=0.3)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert trials[1][1] == TIMED_OUT


def test_the_limit_holds_where_the_alarm_is_blocked(search):
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    try:
        trials = search(_only(1, lambda: time.sleep(5)), time_limit=0.3)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert trials[1][1] == TIMED_OUT


def test_the_time_limit_holds_for_each_trial_by_itself(search):
    trials = search(lambda number: time.sleep(0.1), time_limit=0.35, count=5, pause=0.5)
    assert [trial[1] for trial in trials] == [FINISHED] * 5  # longer together, and in between, than the limit


@pytest.mark.parametrize("stopped", ["both", "child"])
def test_a_stopped_search_makes_its_trial_again(stopped):
    ours, theirs = get_context("fork").Pipe()

    def work(limited):
        act = Acts(lambda number: theirs.send(os.getpid()) or time.sleep(0.4))
        return limited(act, Proposal({}, 0)).status

    def search():
        theirs.send(supervised(work, 0.8))

    parent = get_context("fork").Process(target=search)
    parent.start()
    theirs.close()  # so that a lost message ends the test
    first = ours.recv()
    processes = [first] if stopped == "child" else [first, parent.pid]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in processes:
            os.kill(pid, number)
        time.sleep(1.0)
    assert ours.recv() != first  # the timer has ended the process, which counts the time that it was stopped
    assert ours.recv() == FINISHED
    parent.join()


def _is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("busy", [lambda: None, _never_in_c, _never_with_the_lock], ids=["idle", "C", "lock"])
def test_no_process_outlives_a_killed_search(busy):
    ours, theirs = get_context("fork").Pipe()

    def work(limited):
        limited(Acts(lambda number: theirs.send(os.getpid()) or busy()), Proposal({}, 0))
        time.sleep(600)

    parent = get_context("fork").Process(target=lambda: supervised(work, 600.0))
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


@pytest.mark.parametrize("seconds", [0.0, 0.5], ids=["waiting", "forking"])
def test_an_interrupted_search_leaves_no_process(seconds):
    ours, theirs = get_context("fork").Pipe()

    def work(limited):
        theirs.send(os.getpid())
        time.sleep(600)

    def search():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which the background jobs of a script ignore
        os.register_at_fork(after_in_parent=lambda: time.sleep(seconds))  # what is raised in there is lost
        supervised(work, 600.0)

    parent = get_context("fork").Process(target=search)
    parent.start()
    pid = ours.recv()
    os.kill(pid, signal.SIGINT)  # Ctrl-C reaches both; the child leaves it to the parent
    time.sleep(0.05)
    assert _is_alive(pid)
    os.kill(parent.pid, signal.SIGINT)
    parent.join(30)
    ended = not parent.is_alive()
    parent.kill()
    assert ended
    parent.join()
    assert not _is_alive(pid)
