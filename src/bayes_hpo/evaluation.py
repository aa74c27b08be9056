"""From a proposal to a trial: its models trained and validated on their folds."""

import time
from dataclasses import replace

import numpy as np

from bayes_hpo.errors import UserError, described, is_learners
from bayes_hpo.pool import FAILED, Trial, Truth
from bayes_hpo.splits import Fixed

WORST = 1.0  # the worst zero-one loss: what a failed trial is told as (D27)


class Evaluation:
    """Trains and validates configurations on one repetition; never reads a test row.

    truth: what the stored predictions of its trials are predictions of (`pool.Truth`); None: it stores none.
    """

    truth = None

    def __init__(self, repetition):
        self.repetition = repetition
        self._drawn = {}  # the folds of the latest draw: fixed splits have one, a CMA generation shares one

    def __call__(self, proposal):
        """Evaluate `proposal`. Returns a Trial: a failed one, with the worst loss, when the learner raises an error of
        its own or a loss is not finite. Raises: any other error (`errors.is_learners`), which ends the search: what is
        configured is wrong, or the process lacks memory, a file, a module or a thread (D27).
        """
        start = time.process_time()
        try:
            models = [self._model(fold, proposal.configuration) for fold in self._folds(proposal.round)]
        except Exception as problem:
            if not is_learners(problem):
                raise
            trial = self.failed(proposal, described(problem))
        else:
            trial = self._trial(proposal, models)
        return replace(trial, seconds=time.process_time() - start)

    def _trial(self, proposal, models):
        """The trial of the models (list, per fold, of what `_model` returns); a failed one if a loss is not finite."""
        labels, losses, selection_losses, unconverged = zip(*models, strict=True)
        if not np.isfinite(losses).all():
            return self.failed(proposal, f"the loss is {np.mean(losses)}")
        return Trial(
            proposal,
            losses=np.array(losses),
            selection_losses=np.array(selection_losses) if self._selects else None,
            predictions=self._stored(labels),
            unconverged=sum(unconverged),
        )

    def failed(self, proposal, reason, status=FAILED):
        """The trial of a proposal whose models could not be had."""
        worst = np.full(self.repetition.protocol.validation.folds, WORST)
        return Trial(proposal, worst, status, worst if self._selects else None, reason=reason)

    @property
    def _selects(self):
        return len(self.repetition.parts.selection) > 0

    def _model(self, fold, configuration):
        """(validation labels, validation loss, selection loss or NaN, unconverged fits) of the model of one fold."""
        r = self.repetition
        model, predict = r.fit(configuration, fold.train)
        labels = predict(fold.validation)
        loss = (labels != r.data.y[fold.validation]).mean()
        return labels, loss, self._selection_loss(predict), r.learner.unconverged(model)

    def _stored(self, labels):
        """The predictions of a trial, of its validation labels (list, an array per fold)."""
        return None

    def _selection_loss(self, predict):
        """Loss on the selection split; the worst when the learner fails on its rows: the searcher must not notice.

        Raises: any error that is not the learner's own.
        """
        r = self.repetition
        if not self._selects:
            return np.nan
        try:
            return (predict(r.parts.selection) != r.data.y[r.parts.selection]).mean()
        except Exception as problem:
            if not is_learners(problem):
                raise
            return WORST

    def _folds(self, round_):
        r = self.repetition
        draw = r.protocol.splits.draw(round_)
        if draw not in self._drawn:
            folds = r.protocol.folds(r.parts, r.data.y, draw, r.seeds, training_cap=r.training_cap)
            self._drawn = {draw: folds}
        return self._drawn[draw]


class WithPredictions(Evaluation):
    """An evaluation whose trials store the labels that their models predict for their validation rows.

    predictions (n_validation,): fold after fold, the rows of a fold in ascending order. Under k-fold validation that is
    every row of parts.rest once (a training cap adds its excess rows to every fold).
    Raises: UserError for reshuffled splits: the trials would be predictions of different rows.
    """

    def __init__(self, repetition):
        super().__init__(repetition)
        if not isinstance(repetition.protocol.splits, Fixed):
            raise UserError("predictions can be stored with fixed splits only; choose a protocol such as kfold")

    @property
    def truth(self):
        validation = [self.repetition.data.y[fold.validation] for fold in self._folds(0)]
        folds = np.repeat(np.arange(len(validation)), [len(labels) for labels in validation])
        return Truth(self._stored(validation), folds.astype(np.min_scalar_type(len(validation))))

    def _stored(self, labels):
        return np.concatenate(labels).astype(np.min_scalar_type(self.repetition.data.y.max()))
