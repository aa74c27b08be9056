"""The task of a study: what is predicted, and how errors are counted and printed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.outcomes.kinds import CLASSIFICATION, Unit
from bayes_hpo.outcomes.losses import Loss
from bayes_hpo.outcomes.predictions import Values


@dataclass(frozen=True)
class Task:
    """What every trial, ensemble and score of a study is measured by.

    kind: that of the study's data sets, classification (class numbers from 0) or regression (values).
    predictions: what models are asked for (`outcomes.predictions`).
    loss: what each row costs (`outcomes.losses`).
    worst_loss: that of a failed trial; infinite where the loss has no bound.
    stratified: whether splits hold each class in its share.
    unit: how mean losses are printed.
    """

    kind: str
    predictions: Values
    loss: Loss
    worst_loss: float
    stratified: bool
    unit: Unit

    def losses(self, predictions: NDArray, truth: NDArray) -> NDArray:
        """Loss (n,) of each row; predictions (n[, n_classes]), truth (n,)."""
        return self.loss(self.predictions.decided(predictions), truth)

    def strata(self, y: NDArray) -> NDArray:
        """Stratum (n,) of each row: its class in y (n,), or the same for all where splits are not stratified."""
        return y if self.stratified else np.zeros(len(y), dtype=np.int64)

    def stored_truth(self, y: NDArray, y_all: NDArray) -> NDArray:
        """Some y (n,) in the smallest type that represents all classes or values y_all (n_rows,) exactly."""
        return y.astype(np.min_scalar_type(y_all.max())) if self.kind == CLASSIFICATION else y
