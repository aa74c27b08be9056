"""From a proposal to a trial: its models trained and validated on their folds."""

import time
from dataclasses import replace

import numpy as np

from bayes_hpo.pool import FAILED, Trial

WORST = 1.0  # the worst zero-one loss: what a failed trial is told as (D27)


class Evaluation:
    """Trains and validates configurations on one repetition; never reads a test row."""

    def __init__(self, repetition):
        self.repetition = repetition
        self._drawn = {}  # the folds of the latest draw: fixed splits have one, a CMA generation shares one

    def __call__(self, proposal):
        """Evaluate `proposal`. Returns a Trial: a failed one, with the worst loss, when the learner raises or a loss is
        not finite.
        """
        start = time.process_time()
        try:
            models = [self._model(fold, proposal.configuration) for fold in self._folds(proposal.round)]
        except Exception as problem:  # whatever a learner raises is the trial's trouble, not the search's
            trial = self.failed(proposal, f"{type(problem).__name__}: {problem}")
            return replace(trial, seconds=time.process_time() - start)
        losses, selection_losses, unconverged = zip(*models, strict=True)
        if not np.isfinite(losses).all():
            return self.failed(proposal, f"the loss is {np.mean(losses)}")
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
