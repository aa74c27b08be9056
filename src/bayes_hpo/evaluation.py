"""From a proposal to a trial: its models trained and validated on their folds."""

import time
from dataclasses import replace

import numpy as np

from bayes_hpo.errors import UserError, described, is_learners
from bayes_hpo.pool import FAILED, Trial, Truth
from bayes_hpo.splits import Fixed


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
        kept, losses, selection_losses, unconverged = zip(*models, strict=True)
        if not np.isfinite(losses).all():
            return self.failed(proposal, f"the loss is {np.mean(losses)}")
        predictions, tested = zip(*kept, strict=True)
        return Trial(
            proposal,
            losses=np.array(losses),
            selection_losses=np.array(selection_losses) if self._selects else None,
            predictions=self._stored(predictions),
            test_predictions=tested[0],
            unconverged=sum(unconverged),
        )

    def failed(self, proposal, reason, status=FAILED):
        """The trial of a proposal whose models could not be had."""
        worst = np.full(self.repetition.protocol.validation.folds, self.repetition.task.worst_loss)
        return Trial(proposal, worst, status, worst if self._selects else None, reason=reason)

    @property
    def _selects(self):
        return len(self.repetition.parts.selection) > 0

    def _model(self, fold, configuration):
        """((validation, test predictions), validation loss, selection loss or NaN, unconverged fits) of one fold."""
        r = self.repetition
        model, predict = r.fit(configuration, fold.train)
        predictions = predict(fold.validation)
        loss = self._loss(predictions, fold.validation)
        kept = predictions, self._tested(predict)
        return kept, loss, self._selection_loss(predict), r.learner.unconverged(model)

    def _loss(self, predictions, rows):
        """Mean loss of the predictions for some rows."""
        return self.repetition.task.losses(predictions, self.repetition.data.y[rows]).mean()

    def _stored(self, predictions):
        """What a trial keeps of its predictions for validation rows (list, an array per fold)."""
        return None

    def _tested(self, predict):
        """What a trial keeps of the predictions for the test part."""
        return None

    def _selection_loss(self, predict):
        """Loss on the selection split; the worst when the learner fails on its rows: the searcher must not notice.

        Raises: any error that is not the learner's own.
        """
        r = self.repetition
        if not self._selects:
            return np.nan
        try:
            return self._loss(predict(r.parts.selection), r.parts.selection)
        except Exception as problem:
            if not is_learners(problem):
                raise
            return r.task.worst_loss

    def _folds(self, round_):
        r = self.repetition
        draw = r.protocol.splits.draw(round_)
        if draw not in self._drawn:
            folds = r.protocol.folds(r.parts, r.strata, draw, r.seeds, training_cap=r.training_cap)
            self._drawn = {draw: folds}
        return self._drawn[draw]


class WithPredictions(Evaluation):
    """An evaluation whose trials store what their models predict for their validation rows.

    predictions (n_validation[, n_classes]): fold after fold, the rows of a fold in ascending order.
    Under k-fold validation that is every row of parts.rest once (a training cap adds its excess rows to every fold).
    Raises: UserError for reshuffled splits: the trials would be predictions of different rows.
    """

    def __init__(self, repetition):
        super().__init__(repetition)
        if not isinstance(repetition.protocol.splits, Fixed):
            raise UserError("predictions can be stored with fixed splits only; choose a protocol such as kfold")

    @property
    def truth(self):
        validation = [self.repetition.data.y[fold.validation] for fold in self._folds(0)]
        folds = np.repeat(np.arange(len(validation)), [len(y) for y in validation])
        y = self.repetition.task.stored_truth(np.concatenate(validation), self.repetition.data.y)
        return Truth(y, folds.astype(np.min_scalar_type(len(validation))))

    def _stored(self, predictions):
        return self.repetition.task.predictions.stored(np.concatenate(predictions), self.repetition.data.y)


class WithTestPredictions(WithPredictions):
    """An evaluation whose trials keep what their models predict for the test part too, for `AsTrained`.

    None where the learner fails on the test part: neither the search nor the rest of the trial may notice.
    Raises: UserError for several folds: a trial would have as many models.
    """

    def __init__(self, repetition):
        super().__init__(repetition)
        if repetition.protocol.validation.folds > 1:
            raise UserError("a trial of several folds has several models; choose a protocol such as holdout")

    def _tested(self, predict):
        r = self.repetition
        try:
            return r.task.predictions.stored(predict(r.parts.test), r.data.y)
        except Exception as problem:
            if not is_learners(problem):
                raise
            return None
