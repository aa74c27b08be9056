"""The process that searches run in: the system ends it at a trial's time limit, and it is started again to go on.

The whole search runs in there, not each trial by itself, so a trial costs no message between processes; a search goes
on from its journal wherever it was ended (DESIGN: a search is resumable).
"""

import contextlib
import ctypes
import mmap
import multiprocessing
import os
import signal
import traceback
from dataclasses import replace

from bayes_hpo.errors import Fault, UserError
from bayes_hpo.pool import FAILED, TIMED_OUT

CRASHES = (signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS, signal.SIGILL, signal.SIGABRT)  # by what a process itself does
PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>: the signal that a process gets when its parent ends


def supervised(work, time_limit):
    """Return work(limited), run in a process of its own as often as trials end that process.

    limited(evaluation, proposal) -> Trial evaluates within `time_limit` seconds. A trial that ended its process is
    given as failed or timed out when it is proposed again, so `work` must go on where it was ended.
    Raises: a UserError or Fault that `work` raises, its other errors as RuntimeError; Fault when the process was killed
    from outside or ended between two trials.
    """
    lost = None
    while True:
        with _Suspension() as suspension, _Child(work, Limited(time_limit, lost)) as child:
            if child.has_ended_well():
                return child.result()
            lost = child.lost(time_limit)
            if lost[0] == TIMED_OUT and suspension.happened:
                lost = None  # the timer went on while the search was suspended; the trial is made again


class Limited:
    """Evaluates proposals, one after the other, in a process that an interval timer ends at the time limit.

    The timer is the system's, so the limit holds inside a solver's C code. lost: what the first proposal has become,
    (status, reason, seconds), when it ended the process before this one; else None.
    """

    def __init__(self, time_limit, lost):
        self.time_limit, self._lost = time_limit, lost
        self._parent = os.getpid()
        self._busy = mmap.mmap(-1, 1)  # shared with the parent, who reads it when this process is gone

    @property
    def busy(self):
        """Whether an evaluation has begun and not ended."""
        return self._busy[0] == 1

    def __call__(self, evaluation, proposal):
        """Trial of `proposal`, by `evaluation`."""
        if os.getppid() != self._parent:
            os._exit(1)  # the search was killed, on a system that does not kill its child
        if self._lost:
            (status, reason, seconds), self._lost = self._lost, None
            return replace(evaluation.failed(proposal, reason, status), seconds=seconds)
        self._busy[0] = 1
        signal.setitimer(signal.ITIMER_REAL, self.time_limit)
        trial = evaluation(proposal)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._busy[0] = 0
        return trial


class _Suspension:
    """Notes whether this process was stopped (Ctrl-Z, a batch system) and continued."""

    happened = False

    def __enter__(self):
        self._before = signal.signal(signal.SIGCONT, self._note)
        return self

    def __exit__(self, *_):
        signal.signal(signal.SIGCONT, self._before)

    def _note(self, *_):
        self.happened = True


class _Child:
    """A forked process that does `work`: the data are shared with the parent, not copied."""

    def __init__(self, work, limited):
        self._limited = limited
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

    def lost(self, time_limit):
        """(status, reason, seconds) of the trial that has ended this process. Raises: Fault when none has."""
        code = self._process.exitcode
        if code < 0 and -code not in (signal.SIGALRM, *CRASHES):
            raise Fault(f"the search was killed from outside ({code}), for lack of memory perhaps; run it again")
        if not self._limited.busy:
            raise Fault(f"the search ended between two trials with code {code}; its finished trials are kept")
        if code == -signal.SIGALRM:
            return TIMED_OUT, f"no end within time_limit={time_limit:g} s", time_limit
        return FAILED, f"its process ended with code {code}", 0.0


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
        answer = None, RuntimeError(f"{type(problem).__name__}: {problem}\n{traceback.format_exc()}")
    connection.send(answer)


@contextlib.contextmanager
def _without_interrupts():
    """Ctrl-C waits for the end of the block: Python drops what a handler raises while `os.fork` returns."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
