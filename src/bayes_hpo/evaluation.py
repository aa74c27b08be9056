"""Evaluation of a proposal: its models are trained and validated on the folds, and the result is a trial."""

import time
from dataclasses import replace

import numpy as np

from bayes_hpo.errors import UserError, described, is_learner_error
from bayes_hpo.pool import FAILED, Proposal, Trial, Truth
from bayes_hpo.repetition import Repetition
from bayes_hpo.splits import Fixed


class Evaluation:
    """Trains and validates configurations on one repetition; reads no test row and stores no predictions."""

    def __init__(self, repetition: Repetition):
        self.repetition = repetition
        self._latest_folds: dict = {}  # draw -> folds; fixed splits have one draw, a CMA generation shares one

    @property
    def truth(self) -> Truth | None:
        """Ground truth of the stored predictions; None, since none are stored."""
        return None

    def __call__(self, proposal: Proposal) -> Trial:
        """Evaluate a proposal.

        The trial is a failed one, with the worst loss, if the learner itself raises an error or a loss is not finite.
        Raises: any other error (`errors.is_learner_error`), which ends the search: the configuration is invalid, or the
        process lacks memory, a file, a module or a thread (D27).
        """
        start = time.process_time()
        try:
            models = [self._model(fold, proposal.configuration) for fold in self._folds(proposal.round)]
        except Exception as problem:
            if not is_learner_error(problem):
                raise
            trial = self.failed(proposal, described(problem))
        else:
            trial = self._trial(proposal, models)
        return replace(trial, seconds=time.process_time() - start)

    def _trial(self, proposal, models):
        """Trial of the models (list of `_model` results, one per fold); a failed one if a loss is not finite."""
        predictions, tested, losses, selection_losses, unconverged = zip(*models, strict=True)
        if not np.isfinite(losses).all():
            return self.failed(proposal, f"the loss is {np.mean(losses)}")
        return Trial(
            proposal,
            losses=np.array(losses),
            selection_losses=np.array(selection_losses) if self._selects else None,
            predictions=self._stored(predictions),
            unconverged=sum(unconverged),
            **tested[0],
        )

    def failed(self, proposal: Proposal, reason: str, status: str = FAILED) -> Trial:
        """Trial of a proposal without models; every loss is the worst loss."""
        worst = np.full(self.repetition.protocol.validation.folds, self.repetition.task.worst_loss)
        return Trial(proposal, worst, status, worst if self._selects else None, reason=reason)

    @property
    def _selects(self):
        return len(self.repetition.parts.selection) > 0

    def _model(self, fold, configuration):
        """Train the model of one fold.

        Returns (validation predictions, `_tested`, validation loss, selection loss or NaN, unconverged solver runs).
        """
        r = self.repetition
        model, predict = r.fit(configuration, fold.train)
        predictions = predict(fold.validation)
        losses = self._loss(predictions, fold.validation), self._selection_loss(predict)
        return predictions, self._tested(predict), *losses, r.learner.unconverged(model)

    def _loss(self, predictions, rows):
        """Mean loss of the predictions for rows (m,)."""
        return self.repetition.task.losses(predictions, self.repetition.data.y[rows]).mean()

    def _stored(self, predictions):
        """Predictions to store with the trial, given those for the validation rows (list, one array per fold)."""
        return None

    def _tested(self, predict):
        """Fields of the trial (dict) that concern the test part."""
        return {}

    def _selection_loss(self, predict):
        """Loss on the selection split; NaN without one.

        The worst loss if the learner fails on these rows: the searcher must not notice. Raises: any other error.
        """
        rows = self.repetition.parts.selection
        if not self._selects:
            return np.nan
        try:
            return self._loss(predict(rows), rows)
        except Exception as problem:
            if not is_learner_error(problem):
                raise
            return self.repetition.task.worst_loss

    def _folds(self, round_):
        r = self.repetition
        draw = r.protocol.splits.draw(round_)
        if draw not in self._latest_folds:
            folds = r.protocol.folds(r.parts, r.strata, draw, r.seeds, training_cap=r.training_cap)
            self._latest_folds = {draw: folds}
        return self._latest_folds[draw]


class WithPredictions(Evaluation):
    """An evaluation whose trials store their predictions (n_validation[, n_classes]) for the validation rows.

    Predictions are ordered by fold, and by row number within a fold. Under k-fold validation, every row of parts.rest
    occurs once; with a training cap, the training rows cut off in a fold are validated in it too.
    Raises: UserError for reshuffled splits, where the predictions of different trials would concern different rows.
    """

    def __init__(self, repetition: Repetition):
        super().__init__(repetition)
        if not isinstance(repetition.protocol.splits, Fixed):
            raise UserError("predictions can be stored with fixed splits only; choose a protocol such as kfold")

    @property
    def truth(self) -> Truth:
        validation = [self.repetition.data.y[fold.validation] for fold in self._folds(0)]
        folds = np.repeat(np.arange(len(validation)), [len(y) for y in validation])
        y = self.repetition.task.stored_truth(np.concatenate(validation), self.repetition.data.y)
        return Truth(y, folds.astype(np.min_scalar_type(len(validation))))

    def _stored(self, predictions):
        return self.repetition.task.predictions.stored(np.concatenate(predictions), self.repetition.data.y)


class WithTestPredictions(WithPredictions):
    """An evaluation whose trials also store predictions (n_test[, n_classes]) for the test part, for `AsTrained`.

    If the learner raises an error on the test part, or a prediction is not finite, a trial stores the reason instead:
    neither the search nor the rest of the trial is affected, and `AsTrained` has no model for it. The limits of a trial
    include this prediction: a trial that exceeds them there fails.
    Raises: UserError for several folds, where a trial has several models.
    """

    def __init__(self, repetition: Repetition):
        super().__init__(repetition)
        if repetition.protocol.validation.folds > 1:
            raise UserError("a trial of several folds has several models; choose a protocol such as holdout")

    def _tested(self, predict):
        r = self.repetition
        try:
            predictions = predict(r.parts.test)
        except Exception as problem:
            if not is_learner_error(problem):
                raise
            return {"test_reason": described(problem)}
        if not np.isfinite(predictions).all():
            return {"test_reason": "a prediction is not finite"}
        return {"test_predictions": r.task.predictions.stored(predictions, r.data.y)}
