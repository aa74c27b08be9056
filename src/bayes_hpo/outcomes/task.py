"""The task of a study: what is predicted, and how errors are measured and printed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.outcomes.kinds import CLASSIFICATION, Unit
from bayes_hpo.outcomes.losses import Loss
from bayes_hpo.outcomes.predictions import Values


@dataclass(frozen=True)
class Task:
    """The task by which every trial, ensemble and score of a study is evaluated.

    kind: kind of the study's data sets: classification (class numbers from 0) or regression (values).
    predictions: kind of predictions (`outcomes.predictions`).
    loss: loss of each row (`outcomes.losses`).
    worst_loss: loss of a failed trial; infinite for an unbounded loss.
    stratified: whether splits preserve the class frequencies.
    unit: unit in which mean losses are printed.
    """

    kind: str
    predictions: Values
    loss: Loss
    worst_loss: float
    stratified: bool
    unit: Unit

    def losses(self, predictions: NDArray, truth: NDArray) -> NDArray:
        """Loss (n,) of each row, given predictions (n[, n_classes]) and truth (n,)."""
        return self.loss(self.predictions.decided(predictions), truth)

    def strata(self, y: NDArray) -> NDArray:
        """Stratum (n,) of each row: its class in y (n,), or 0 for all rows if splits are not stratified."""
        return y if self.stratified else np.zeros(len(y), dtype=np.int64)

    def stored_truth(self, y: NDArray, y_all: NDArray) -> NDArray:
        """y (n,) in the smallest type that represents all classes or values y_all (n_rows,) exactly."""
        return y.astype(np.min_scalar_type(y_all.max())) if self.kind == CLASSIFICATION else y
