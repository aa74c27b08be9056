"""Gradient boosting of regression trees with the Huber loss (Lacoste et al. 2014, 6.1): a faster scikit-learn.

scikit-learn 1.9 spends nine tenths of a fit of deep trees on weighted medians, one per leaf. Here all weights are 1, so
plain medians suffice; the models are equal bit for bit.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn._loss.loss import HuberLoss
from sklearn.ensemble import GradientBoostingRegressor

from bayes_hpo.learners.estimator import Estimator


class EqualWeightsHuberLoss(HuberLoss):
    """scikit-learn's HuberLoss for rows of equal weight."""

    def fit_intercept_only(self, y_true: NDArray, sample_weight: NDArray | None = None) -> np.floating:
        """The leaf value m + mean of sign(y - m) min(delta, |y - m|), m the lower median (Friedman 2001, algorithm 4).

        y_true (n,): residuals y of the rows of the leaf; sample_weight is ignored.
        """
        median = np.sort(y_true)[(len(y_true) - 1) // 2]
        residuals = y_true - median
        return median + np.mean(np.sign(residuals) * np.minimum(self.closs.delta, np.abs(residuals)))


class HuberRegressionTrees(GradientBoostingRegressor):
    """scikit-learn's GradientBoostingRegressor with the Huber loss; `fit` takes no weights."""

    def fit(self, X: NDArray, y: NDArray) -> "HuberRegressionTrees":
        """This model, trained on X (n, p), y (n,)."""
        return super().fit(X, y)

    def _get_loss(self, sample_weight):  # scikit-learn's hook
        return EqualWeightsHuberLoss(quantile=self.alpha)


@dataclass(frozen=True)
class HuberBoosting(Estimator):
    """Configurations contain arguments of HuberRegressionTrees, except its loss."""

    kind: type = HuberRegressionTrees

    def _unfitted(self, arguments):
        return self.kind(loss="huber", **arguments)
