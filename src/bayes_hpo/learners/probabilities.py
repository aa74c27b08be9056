"""Classifiers without class probabilities of their own, or of two classes only (Shen et al. 2022, 3.1; D8, D30)."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.multiclass import OneVsRestClassifier

from bayes_hpo.learners.estimator import Estimator, FittedEstimator

BOUND = 20.0  # of the decision values of two classes


class OneVsRest(Estimator):
    """An estimator of two classes, one for each class against all others; their probabilities, divided by their sum."""

    def _unfitted(self, arguments):
        return OneVsRestClassifier(super()._unfitted(arguments))


class DecisionValues(Estimator):
    """A classifier, such as a support vector machine, that has decision values and no probabilities."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FromDecisions":
        """The FromDecisions trained on X (n, p), y (n,). Raises: as `Estimator.fit`."""
        fitted = super().fit(configuration, X, y, rng)
        return FromDecisions(fitted.estimator, fitted.capped)


class FromDecisions(FittedEstimator):
    """A fitted classifier whose probabilities are those of its decision values."""

    def predict_proba(self, X: NDArray) -> NDArray:
        """Probability (n, k) of each class for each row of X (n, p)."""
        return probabilities(self._silently("decision_function", X))


def probabilities(decisions: NDArray) -> NDArray:
    """Probabilities (n, k) of decision values d, (n,) of two classes or (n, k) of more."""
    # more: exp(d_c) / sum exp(d); two: (1 - s, s) with s = 1 / (1 + exp(-d)), d clipped to [-20, 20]
    if decisions.ndim > 1:
        return softmax(decisions, axis=1)
    s = expit(np.clip(decisions, -BOUND, BOUND))
    return np.column_stack([1 - s, s])
