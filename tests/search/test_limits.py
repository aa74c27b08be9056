"""Limits of a trial: CPU time and memory, which no learner escapes and which other trials do not notice."""

import ctypes
import faulthandler
import os
import re
import resource
import signal
import time

import numpy as np
import pytest

from bayes_hpo.errors import RunError
from bayes_hpo.pool import FAILED, FINISHED, TIMED_OUT, Proposal, Trial
from bayes_hpo.search.limits import GIB, Limits, address_space
from bayes_hpo.search.supervision import supervised

pytestmark = pytest.mark.slow  # every test starts a process
TIMERS = [signal.SIGALRM, signal.SIGPROF]


class Acts:
    """An evaluation that calls `act()` in some of four trials."""

    def __init__(self, act, trials=(1,)):
        self.act, self.trials = act, trials

    def __call__(self, proposal):
        if proposal.round in self.trials:
            self.act()
        return Trial(proposal, losses=np.array([proposal.round / 10]))

    def failed(self, proposal, reason, status=FAILED):
        return Trial(proposal, np.array([1.0]), status, reason=reason)


@pytest.fixture
def search(tmp_path):
    """Function: (status, reason, seconds) of four trials under some limits; the second one does `act`."""

    def run(act, time_limit=60.0, **limits):
        noted = tmp_path / "noted"
        noted.touch()

        def work(limited):
            for number in range(len(noted.read_text().splitlines()), 4):
                trial = limited(Acts(act), Proposal({}, number))
                with open(noted, "a", encoding="utf-8") as stream:
                    stream.write(f"{trial.status}|{trial.reason}|{trial.seconds}\n")
            return [line.split("|") for line in noted.read_text().splitlines()]

        return supervised(work, time_limit, **limits)

    return run


def _use(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def _never_in_c():
    re.match(r"(a*)*b", "a" * 60)


def _with_signals_blocked(act):
    def do():
        signal.pthread_sigmask(signal.SIG_BLOCK, TIMERS)
        act()

    return do


def assert_only_the_second(trials, status):
    assert [trial[0] for trial in trials] == [FINISHED, status, FINISHED, FINISHED]


@pytest.mark.parametrize("never", [_never_in_c, lambda: _use(1000)], ids=["C", "python"])
def test_a_trial_ends_with_its_cpu_time(search, never):
    trials = search(never, cpu=0.3)
    assert_only_the_second(trials, TIMED_OUT)
    assert trials[1][1:] == ["no end within cpu_limit=0.3 s of CPU time", "0.3"]


def test_waiting_costs_no_cpu_time(search):
    assert_only_the_second(search(lambda: time.sleep(1.0), cpu=0.3), FINISHED)


def test_cpu_time_is_counted_for_each_trial_by_itself():
    def work(limited):
        acts = Acts(lambda: _use(0.2), trials=range(4))
        return [limited(acts, Proposal({}, number)).status for number in range(4)]

    assert supervised(work, 60.0, cpu=0.5) == [FINISHED] * 4


def test_what_sleeps_for_ever_is_ended_by_the_clock(search):
    trials = search(lambda: time.sleep(1000), time_limit=0.3, cpu=0.3)
    assert_only_the_second(trials, TIMED_OUT)
    assert trials[1][1] == "no end within time_limit=0.3 s"


@pytest.mark.parametrize("never", [_never_in_c, lambda: time.sleep(1000)], ids=["C", "sleep"])
def test_a_trial_that_blocks_the_signals_is_ended_too(search, never):
    start = time.monotonic()
    trials = search(_with_signals_blocked(never), time_limit=0.5, cpu=0.3)
    assert time.monotonic() - start < 30
    assert_only_the_second(trials, TIMED_OUT)


def test_a_python_handler_of_the_alarm_does_not_keep_a_trial_alive(search):
    def handle():
        signal.signal(signal.SIGALRM, lambda *_: None)
        time.sleep(1000)

    assert_only_the_second(search(handle, time_limit=0.3), TIMED_OUT)


def test_a_stopped_trial_is_not_killed_for_being_late(tmp_path):
    first = tmp_path / "first"

    def stop():
        if first.exists():
            return
        first.write_text(str(os.getpid()))
        if os.fork() == 0:  # continues the stopped process beyond its limit and the parent's patience
            time.sleep(4.5)  # half-way between two checks of the parent
            os.kill(int(first.read_text()), signal.SIGCONT)
            os._exit(0)
        signal.pthread_sigmask(signal.SIG_BLOCK, TIMERS)
        os.kill(os.getpid(), signal.SIGSTOP)

    def work(limited):
        trial = limited(Acts(stop), Proposal({}, 1))
        return os.getpid() == int(first.read_text()), trial.status

    assert supervised(work, 0.5) == (True, FINISHED)


def _hog():
    np.empty(GIB // 4)  # 2 GiB; untouched, since the limit is one of addresses and touching takes long


def _in_a_cause():
    try:
        _hog()
    except MemoryError as problem:
        raise ValueError("a solver failed") from problem


@pytest.mark.parametrize("hog", [_hog, _in_a_cause], ids=["numpy", "cause"])
def test_a_trial_fails_with_its_memory(search, hog):
    trials = search(lambda: _use(0.2) or hog(), memory=1.0)
    assert_only_the_second(trials, FAILED)
    assert trials[1][1].startswith("no more memory within memory_limit=1 GiB (")
    assert float(trials[1][2]) >= 0.2


def test_a_trial_may_use_what_it_is_given(search):
    assert_only_the_second(search(_hog, memory=3.0), FINISHED)


def _write_to_nothing():
    """What C code does that does not check whether it was given memory."""
    faulthandler.disable()
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    ctypes.memset(libc.malloc(2 * GIB), 0, 1)


def test_a_crash_for_lack_of_memory_fails_the_trial(search):
    trials = search(_write_to_nothing, memory=1.0)
    assert_only_the_second(trials, FAILED)
    assert trials[1][1] == f"its process ended with code {-signal.SIGSEGV}"


def test_without_a_limit_a_lack_of_memory_ends_the_search(search):
    with pytest.raises(RunError, match="lacks memory"):
        search(lambda: np.empty(2**50))


def test_limits_hold_within_their_block_only():
    before = resource.getrlimit(resource.RLIMIT_AS)
    with Limits(60.0, cpu=30.0, memory=1.0).applied():
        within = resource.getrlimit(resource.RLIMIT_AS)[0]
        timers = signal.getitimer(signal.ITIMER_REAL)[0], signal.getitimer(signal.ITIMER_PROF)[0]
    assert abs(within - address_space() - GIB) < GIB / 10
    assert timers == (pytest.approx(60, abs=1), pytest.approx(30, abs=1))
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_limits_cost_less_than_a_hundredth_of_a_short_trial():
    limits, n = Limits(60.0, cpu=30.0, memory=8.0), 200
    start = time.process_time()
    for _ in range(n):
        with limits.applied():
            pass
    assert (time.process_time() - start) / n < 0.01 * 0.2  # seconds; the median trial on quake takes .2
