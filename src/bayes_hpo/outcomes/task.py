"""The task of a study: what is predicted, and how errors are counted and printed."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bayes_hpo.outcomes.kinds import CLASSIFICATION, Unit
from bayes_hpo.outcomes.predictions import Values


@dataclass(frozen=True)
class Task:
    """What every trial, ensemble and score of a study is measured by.

    kind: that of the study's data sets, classification (class numbers from 0) or regression (values).
    predictions: what models are asked for (`outcomes.predictions`).
    loss: decisions (n,), truth (n,) -> loss per row (n,) (`outcomes.losses`).
    worst_loss: what a failed trial has; infinite where the loss has no bound.
    stratified: whether splits hold each class in its share.
    unit: how mean losses are printed.
    """

    kind: str
    predictions: Values
    loss: Callable
    worst_loss: float
    stratified: bool
    unit: Unit

    def losses(self, predictions, truth):
        """Loss (n,) of each row; predictions (n,) or (n, n_classes), truth (n,)."""
        return self.loss(self.predictions.decided(predictions), truth)

    def strata(self, y):
        """Stratum (n,) of each row: its class in y (n,), or the same for all where splits are not stratified."""
        return y if self.stratified else np.zeros(len(y), dtype=np.int64)

    def stored_truth(self, y, every):
        """Some y (n,) in the smallest type that keeps every y of the data set exact."""
        return y.astype(np.min_scalar_type(every.max())) if self.kind == CLASSIFICATION else y
