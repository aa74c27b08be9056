"""The process that searches run in: the system ends it at a trial's time limit, and it is started again to go on.

The whole search runs in there, not each trial by itself, so a trial costs no message between processes; a search goes
on from its journal wherever it was ended (DESIGN: a search is resumable).

A trial has timed out when the limit has passed by the clock and it has used that time: nine tenths of it as CPU time.
Else it was stopped (SIGSTOP, a freezer), starved, or it hangs, and it is made again; the third time in a row counts.
"""

import contextlib
import ctypes
import logging
import mmap
import multiprocessing
import os
import resource
import signal
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bayes_hpo.errors import Fault, UserError, described, missing_resource
from bayes_hpo.pool import FAILED, TIMED_OUT, Proposal, Trial

CRASHES = (signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS, signal.SIGILL, signal.SIGABRT)  # by what a process itself does
PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>: the signal that a process gets when its parent ends
USED = 0.9  # share of the time limit that a trial must have used as CPU time to have timed out
TRIES = 3  # after which it has timed out in any case: a learner may wait for ever
IDLE = -1.0  # in place of the CPU time at which an evaluation has begun
log = logging.getLogger(__name__)


def supervised(work: Callable[["Limited"], Any], time_limit: float) -> Any:
    """Return work(limited), run in a process of its own as often as trials end that process.

    limited(evaluation, proposal) -> Trial evaluates within `time_limit` seconds. A trial that ended its process is
    given as failed or timed out when it is proposed again, so `work` must go on where it was ended.
    Raises: a UserError or Fault that `work` raises, its other errors as RuntimeError; Fault when `work` lacks memory, a
    file, a module or a thread, and when the process was killed from outside, ended between two trials, or crashed where
    its memory is limited.
    """
    lost, tries = None, 0
    while True:
        with _Child(work, Limited(time_limit, lost)) as child:
            if child.has_ended_well():
                return child.result()
            lost, tries = child.lost(), 1 if child.limited.returned else tries + 1
            if lost[0] == TIMED_OUT and tries < TRIES and child.seconds() < USED * time_limit:
                log.warning("%s, %.1f s of CPU time; the trial is made again", lost[1], child.seconds())
                lost = None


class Limited:
    """Evaluates proposals, one after the other, in a process that an interval timer ends at the time limit.

    The timer is the system's, so the limit holds inside a solver's C code. lost: what the first proposal has become,
    (status, reason, seconds), when it ended the process before this one; else None.
    """

    def __init__(self, time_limit: float, lost: tuple | None):
        self.time_limit, self._lost = time_limit, lost
        self._parent = os.getpid()
        # (2,) shared with the parent, who reads it when this process is gone
        self._shared = np.frombuffer(mmap.mmap(-1, 16))
        self._shared[:] = IDLE, 0

    @property
    def busy(self) -> bool:
        """Whether an evaluation has begun and not ended."""
        return self.begun != IDLE

    @property
    def begun(self) -> float:
        """CPU time of the process, in seconds, at which its latest evaluation has begun."""
        return self._shared[0]

    @property
    def returned(self) -> float:
        """Number of trials that were returned."""
        return self._shared[1]

    def __call__(self, evaluation: Callable, proposal: Proposal) -> Trial:
        """Trial of `proposal`, by `evaluation`."""
        if os.getppid() != self._parent:
            os._exit(1)  # the search was killed, on a system that does not kill its child
        trial = self._given_up(evaluation, proposal) if self._lost else self._evaluated(evaluation, proposal)
        self._shared[1] += 1
        return trial

    def _given_up(self, evaluation, proposal):
        (status, reason, seconds), self._lost = self._lost, None
        return replace(evaluation.failed(proposal, reason, status), seconds=seconds)

    def _evaluated(self, evaluation, proposal):
        self._shared[0] = _cpu_seconds(resource.RUSAGE_SELF) + _cpu_seconds(resource.RUSAGE_CHILDREN)
        signal.setitimer(signal.ITIMER_REAL, self.time_limit)
        try:
            trial = evaluation(proposal)
        except Exception:
            self._rest()
            raise
        self._rest()
        return trial

    def _rest(self):
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._shared[0] = IDLE


class _Child:
    """A forked process that does `work`: the data are shared with the parent, not copied."""

    def __init__(self, work, limited):
        self.limited = limited
        self._before = _cpu_seconds(resource.RUSAGE_CHILDREN)
        fork = multiprocessing.get_context("fork")
        self._connection, theirs = fork.Pipe(duplex=False)
        self._process = fork.Process(target=_do, args=(work, limited, theirs), daemon=True)
        with _without_interrupts():
            self._process.start()
        theirs.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()
        self._process.kill()
        self._process.join()

    def has_ended_well(self):
        """Wait for the child's answer. Returns: whether there is one."""
        try:
            self._answer = self._connection.recv()
        except EOFError:
            self._process.join()
            return False
        return True

    def result(self):
        """What the work has returned. Raises: what it has raised."""
        result, problem = self._answer
        if problem is not None:
            raise problem
        return result

    def lost(self):
        """(status, reason, seconds) of the trial that has ended this process. Raises: Fault when none has."""
        code, time_limit = self._process.exitcode, self.limited.time_limit
        if code < 0 and -code not in (signal.SIGALRM, *CRASHES):
            raise Fault(f"the search was killed from outside ({code}), for lack of memory perhaps; run it again")
        if not self.limited.busy:
            raise Fault(f"the search ended between two trials with code {code}; its finished trials are kept")
        if code == -signal.SIGALRM:
            return TIMED_OUT, f"no end within time_limit={time_limit:g} s", time_limit
        if _memory_is_limited():
            raise Fault(
                f"a trial ended its process with code {code} where memory is limited (ulimit -v or -d), for lack of it "
                "perhaps; run the search again with a higher limit or none: its finished trials are kept"
            )
        return FAILED, f"its process ended with code {code}", 0.0

    def seconds(self):
        """CPU time that the trial has used which has ended this process."""
        return _cpu_seconds(resource.RUSAGE_CHILDREN) - self._before - self.limited.begun


def _do(work, limited, connection):
    """Do the work in the child and send (result, problem)."""
    os.register_at_fork(after_in_child=connection.close)  # else the parent would wait for what a learner leaves behind
    with contextlib.suppress(AttributeError):  # only Linux has it; elsewhere an orphan ends with its trial
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, who ends this process
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGALRM])  # whatever the parent blocks
    try:
        answer = work(limited), None
    except (UserError, Fault) as problem:
        answer = None, problem
    except Exception as problem:  # any other may not survive the way to the parent
        answer = None, _portable(problem)
    connection.send(answer)


def _portable(problem):
    """The Fault of what the work lacks, or else a RuntimeError that holds the traceback."""
    if missing := missing_resource(problem):
        return Fault(
            f"the search lacks memory, a file, a module or a thread ({described(missing)}); "
            "run it again where that is there: its finished trials are kept"
        )
    return RuntimeError(f"{type(problem).__name__}: {problem}\n{traceback.format_exc()}")


def _cpu_seconds(whose):
    """CPU time of this process, with its threads, or of its ended children, with theirs (RUSAGE_...)."""
    usage = resource.getrusage(whose)
    return usage.ru_utime + usage.ru_stime


def _memory_is_limited():
    """Whether C code may be refused memory, which then ends the process: libsvm and liblinear do not check for it."""
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return any(limit != resource.RLIM_INFINITY for limit in limits)


@contextlib.contextmanager
def _without_interrupts():
    """Ctrl-C waits for the end of the block: Python drops what a handler raises while `os.fork` returns."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
