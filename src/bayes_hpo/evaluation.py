"""From a proposal to a trial: its models trained on their folds, in a worker process that can be ended."""

import contextlib
import ctypes
import multiprocessing
import signal
import time
from dataclasses import replace

import numpy as np

from bayes_hpo.errors import Fault
from bayes_hpo.pool import FAILED, TIMED_OUT, Trial

PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>: the signal that a process gets when its parent ends
WORST = 1.0  # the worst zero-one loss: what a failed trial is told as (D27)


class Evaluation:
    """Trains and validates configurations on one repetition; never reads a test row."""

    def __init__(self, repetition):
        self.repetition = repetition
        self._drawn = {}  # the folds of the latest draw: fixed splits have one, a CMA generation shares one

    def __call__(self, proposal):
        """Evaluate `proposal`. Returns a Trial; a learner that raises makes it a failed one with the worst loss."""
        start = time.process_time()
        try:
            models = [self._model(fold, proposal.configuration) for fold in self._folds(proposal.round)]
        except Exception as problem:  # whatever a learner raises is the trial's trouble, not the search's
            trial = self.failed(proposal, f"{type(problem).__name__}: {problem}")
            return replace(trial, seconds=time.process_time() - start)
        losses, selection_losses, unconverged = zip(*models, strict=True)
        return Trial(
            proposal,
            losses=np.array(losses),
            selection_losses=np.array(selection_losses) if self._selects else None,
            unconverged=sum(unconverged),
            seconds=time.process_time() - start,
        )

    def failed(self, proposal, reason, status=FAILED):
        """The trial of a proposal whose models could not be had."""
        worst = np.full(self.repetition.protocol.validation.folds, WORST)
        return Trial(proposal, worst, status, worst if self._selects else None, reason=reason)

    @property
    def _selects(self):
        return len(self.repetition.parts.selection) > 0

    def _model(self, fold, configuration):
        """(validation loss, selection loss or NaN, unconverged fits) of the model of one fold."""
        r = self.repetition
        model, predict = r.fit(configuration, fold.train)
        loss = (predict(fold.validation) != r.data.y[fold.validation]).mean()
        return loss, self._selection_loss(predict), r.learner.unconverged(model)

    def _selection_loss(self, predict):
        """Loss on the selection split; the worst when its rows cannot be predicted: the searcher must not notice."""
        r = self.repetition
        if not self._selects:
            return np.nan
        try:
            return (predict(r.parts.selection) != r.data.y[r.parts.selection]).mean()
        except Exception:  # whatever a learner raises
            return WORST

    def _folds(self, round_):
        r = self.repetition
        draw = r.protocol.splits.draw(round_)
        if draw not in self._drawn:
            folds = r.protocol.folds(r.parts, r.data.y, draw, r.seeds, training_cap=r.training_cap)
            self._drawn = {draw: folds}
        return self._drawn[draw]


class Worker:
    """A process that evaluates one proposal after another and is ended by the system at the time limit.

    The limit is an interval timer of the worker itself, so it holds inside a solver's C code; when the search is killed
    the system kills its worker too.
    """

    def __init__(self, evaluation, time_limit):
        self.evaluation, self.time_limit = evaluation, time_limit

    def __enter__(self):
        self._start()
        return self

    def __exit__(self, *_):
        self._connection.close()
        self._process.kill()
        self._process.join()

    def __call__(self, proposal):
        """Evaluate `proposal` in the worker. Returns a Trial, a failed or timed out one if the worker ended by itself.

        Raises: Fault when it was killed from outside, so that the trial is made again.
        """
        try:
            self._connection.send(proposal)
            return self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            self._connection.close()
            self._start()
        if code in (-signal.SIGKILL, -signal.SIGTERM):
            raise Fault(
                f"the worker was killed from outside ({code}), for lack of memory perhaps; run the command again"
            )
        if code == -signal.SIGALRM:
            reason = f"no end within time_limit={self.time_limit:g} s"
            return replace(self.evaluation.failed(proposal, reason, TIMED_OUT), seconds=self.time_limit)
        return self.evaluation.failed(proposal, f"its process ended with code {code}")

    def _start(self):
        fork = multiprocessing.get_context("fork")  # the data are shared with the parent, not copied
        self._connection, theirs = fork.Pipe()
        arguments = (theirs, self._connection, self.evaluation, self.time_limit)
        self._process = fork.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()


def _serve(connection, parents, evaluation, time_limit):
    """Answer proposals with trials until the parent is gone."""
    parents.close()  # else the pipe would stay open when the parent dies
    with contextlib.suppress(AttributeError):  # only Linux has it; elsewhere an orphan ends with its trial
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    while True:
        try:
            proposal = connection.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_REAL, time_limit)
        trial = evaluation(proposal)
        signal.setitimer(signal.ITIMER_REAL, 0)
        connection.send(trial)
