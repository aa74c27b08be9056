"""Searches run in a child process: the system ends it when a trial exceeds a limit, and a new child resumes the search.

A child runs the whole search, not a single trial, so trials need no messages between processes; a search resumes from
its journal after any trial.

A trial beyond the wall-clock limit has timed out if it used nine tenths of the limit as CPU time. Otherwise the process
was suspended (SIGSTOP, a freezer), starved of CPU, or hung, and the trial is repeated; at the third attempt in a row it
counts as timed out in any case. A trial beyond the CPU limit has timed out, without repetition.

The parent kills a child that overruns the wall-clock limit, such as one whose learner blocks signals.
"""

import contextlib
import ctypes
import logging
import mmap
import multiprocessing
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bayes_hpo.contracts import Evaluate
from bayes_hpo.errors import RunError, UserError, described, missing_resource
from bayes_hpo.pool import FAILED, TIMED_OUT, Proposal, Trial
from bayes_hpo.search.limits import Limits

CRASHES = (signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS, signal.SIGILL, signal.SIGABRT)  # raised by the process itself
PR_SET_PDEATHSIG = 1  # from <sys/prctl.h>: the signal sent to a process when its parent dies
USED = 0.9  # fraction of the time limit that a trial must have used as CPU time to count as timed out
TRIES = 3  # attempts after which a trial counts as timed out in any case: a learner may wait forever
IDLE = -1.0  # replaces the CPU time at the start of an evaluation while none is running
WATCH = GRACE = 1.0  # s; interval of the parent's checks, and overrun of the time limit before it kills the child
log = logging.getLogger(__name__)


def supervised(work: Callable[["Limited"], Any], time_limit: float, **limits: float) -> Any:
    """Return work(limited), run in a child process that is replaced whenever a trial ends it.

    work: function of `limited`, which must resume where the previous process ended. limited(evaluation, proposal) ->
        Trial evaluates a proposal within the limits; if the proposal ended the previous process, the trial is a failed
        or timed-out one.
    time_limit, s: wall-clock limit of each trial.
    limits: its other limits, cpu (s) and memory (GiB), as in `Limits`.
    Raises: UserError or RunError from `work`, its other errors as RuntimeError; RunError if `work` lacks memory, a
    file, a module or a thread, and if the process was killed from outside, ended between two trials, or crashed where
    its memory is limited.
    """
    ended, tries = None, 0
    while True:
        with _Child(work, Limited(Limits(time_limit, **limits), ended)) as child:
            if child.has_answered():
                return child.result()
            ended, tries = child.ended_trial(), 1 if child.limited.shared["returned"] else tries + 1
            if child.ended_by_the_clock() and tries < TRIES and child.seconds() < USED * time_limit:
                log.warning("%s, %.1f s of CPU time; the trial is repeated", ended[1], child.seconds())
                ended = None


class Limited:
    """Evaluates proposals one by one, in a process that the system ends when one exceeds its limits.

    limits: limits of each trial.
    ended: (status, reason, seconds) of the first proposal if it ended the previous process, else None.
    """

    def __init__(self, limits: Limits, ended: tuple[str, str, float] | None):
        self.limits, self._ended = limits, ended
        self._parent = os.getpid()
        # (1,), shared with the parent: CPU time (s) at the start of the running evaluation, or IDLE; clock time (s) of
        # that start; number of trials returned so far
        self.shared = np.frombuffer(mmap.mmap(-1, 24), [("begun", float), ("since", float), ("returned", float)])
        self.shared["begun"] = IDLE

    def __call__(self, evaluation: Evaluate, proposal: Proposal) -> Trial:
        """Evaluate a proposal."""
        if os.getppid() != self._parent:
            os._exit(1)  # the parent was killed, on a system without PR_SET_PDEATHSIG
        if self._ended:
            (status, reason, seconds), self._ended = self._ended, None
            trial = replace(evaluation.failed(proposal, reason, status), seconds=seconds)
        else:
            trial = self._evaluated(evaluation, proposal)
        self.shared["returned"] += 1
        return trial

    def _evaluated(self, evaluation, proposal):
        before = _own_seconds()
        self.shared["since"], self.shared["begun"] = time.monotonic(), before
        try:
            with self.limits.applied():
                trial = evaluation(proposal)
        except Exception as problem:  # not SystemExit: raised by a learner, it ends the process within the trial
            self.shared["begun"] = IDLE
            if not (self.limits.limits_memory and isinstance(missing_resource(problem), MemoryError)):
                raise
            reason = f"no more memory within memory_limit={self.limits.memory:g} GiB ({described(problem)})"
            return replace(evaluation.failed(proposal, reason), seconds=_own_seconds() - before)
        self.shared["begun"] = IDLE
        return trial


class _Child:
    """A forked process that runs `work`; it shares the data with its parent instead of copying them."""

    def __init__(self, work, limited):
        self.limited, self._was_killed = limited, False
        self._before = _cpu_seconds(resource.RUSAGE_CHILDREN)
        fork = multiprocessing.get_context("fork")
        self._connection, child_end = fork.Pipe(duplex=False)
        self._process = fork.Process(target=_do, args=(work, limited, child_end), daemon=True)
        with _interrupts_deferred():
            self._process.start()
        child_end.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()
        self._process.kill()
        self._process.join()

    def has_answered(self):
        """Wait until the child answers or ends; return whether it has answered."""
        while not self._connection.poll(WATCH):
            if self._lets_the_limit_pass():
                self._was_killed = True
                self._process.kill()
        try:
            self._answer = self._connection.recv()
        except EOFError:
            self._process.join()
            return False
        return True

    def result(self):
        """Result of the work. Raises: the error that `work` raised."""
        result, problem = self._answer
        if problem is not None:
            raise problem
        return result

    def _lets_the_limit_pass(self):
        """Whether the running trial overruns its time limit; false while it is suspended, with its alarm pending."""
        shared, stopped = self.limited.shared, os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        overdue = time.monotonic() - shared["since"][0] > self.limited.limits.time + GRACE
        return shared["begun"] != IDLE and overdue and not os.waitid(os.P_PID, self._process.pid, stopped)

    def ended_by_the_clock(self):
        """Whether the wall-clock limit ended this process."""
        return self._was_killed or self._process.exitcode == -signal.SIGALRM

    def ended_trial(self):
        """(status, reason, seconds) of the trial that ended this process. Raises: RunError for any other cause."""
        code, limits, by_the_clock = self._process.exitcode, self.limited.limits, self.ended_by_the_clock()
        if not by_the_clock and code < 0 and -code not in (signal.SIGPROF, *CRASHES):
            raise RunError(f"the search was killed from outside ({code}), for lack of memory perhaps; run it again")
        if self.limited.shared["begun"] == IDLE:
            raise RunError(f"the search ended between two trials with code {code}; its finished trials are kept")
        if by_the_clock:
            return TIMED_OUT, f"no end within time_limit={limits.time:g} s", limits.time
        if code == -signal.SIGPROF:
            return TIMED_OUT, f"no end within cpu_limit={limits.cpu:g} s of CPU time", limits.cpu
        if _memory_is_limited():
            raise RunError(
                f"a trial ended its process with code {code} where memory is limited (ulimit -v or -d), for lack of it "
                "perhaps; run the search again with a higher limit or none: its finished trials are kept"
            )
        return FAILED, f"its process ended with code {code}", 0.0

    def seconds(self):
        """CPU time, in seconds, of the trial that ended this process."""
        return _cpu_seconds(resource.RUSAGE_CHILDREN) - self._before - self.limited.shared["begun"][0]


def _do(work, limited, connection):
    """Do the work in the child and send (result, error)."""
    os.register_at_fork(after_in_child=connection.close)  # else a learner's orphans keep the pipe open
    with contextlib.suppress(AttributeError):  # Linux only; elsewhere an orphan exits after its trial
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends this process
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGALRM, signal.SIGPROF])  # if blocked
    try:
        answer = work(limited), None
    except (UserError, RunError) as problem:
        answer = None, problem
    except Exception as problem:  # others may not survive pickling
        answer = None, _portable(problem)
    connection.send(answer)


def _portable(problem):
    """RunError for a missing resource, otherwise a RuntimeError with the traceback."""
    if missing := missing_resource(problem):
        return RunError(
            f"the search lacks memory, a file, a module or a thread ({described(missing)}); "
            "run it again where that is available: its finished trials are kept"
        )
    return RuntimeError(f"{type(problem).__name__}: {problem}\n{traceback.format_exc()}")


def _own_seconds():
    """CPU time, in seconds, of this process and of its ended children."""
    return _cpu_seconds(resource.RUSAGE_SELF) + _cpu_seconds(resource.RUSAGE_CHILDREN)


def _cpu_seconds(whose):
    """CPU time, in seconds, of this process or of its ended children (RUSAGE_...), all threads included."""
    usage = resource.getrusage(whose)
    return usage.ru_utime + usage.ru_stime


def _memory_is_limited():
    """Whether memory is limited, so that C code may crash: libsvm and liblinear do not check their allocations."""
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return any(limit != resource.RLIM_INFINITY for limit in limits)


@contextlib.contextmanager
def _interrupts_deferred():
    """Defer Ctrl-C to the end of the block: Python drops an exception that a signal handler raises in `os.fork`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
