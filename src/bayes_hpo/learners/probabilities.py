"""Class probabilities of classifiers that predict none, or handle two classes only (Shen et al. 2022, 3.1; D8, D30)."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.multiclass import OneVsRestClassifier

from bayes_hpo.learners.estimator import Estimator, FittedEstimator

BOUND = 20.0  # of the absolute decision values for two classes


class OneVsRest(Estimator):
    """A binary classifier per class against all others; their probabilities are normalized to sum to 1."""

    def _unfitted(self, arguments):
        return OneVsRestClassifier(super()._unfitted(arguments))


class DecisionValues(Estimator):
    """A classifier with decision values but without probabilities, such as a support vector machine."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FromDecisions":
        """The FromDecisions trained on X (n, p), y (n,). Raises: as `Estimator.fit`."""
        fitted = super().fit(configuration, X, y, rng)
        return FromDecisions(fitted.estimator, fitted.capped)


class FromDecisions(FittedEstimator):
    """A fitted classifier whose probabilities are computed from its decision values."""

    def predict_proba(self, X: NDArray) -> NDArray:
        """Probability (n, k) of each class for each row of X (n, p)."""
        return probabilities(self._silently("decision_function", X))


def probabilities(decisions: NDArray) -> NDArray:
    """Class probabilities (n, k), given decision values d: (n,) for two classes, (n, k) for more."""
    # k > 2: exp(d_c) / sum exp(d); k = 2: (1 - s, s) with s = 1 / (1 + exp(-d)), d clipped to [-20, 20]
    if decisions.ndim > 1:
        return softmax(decisions, axis=1)
    s = expit(np.clip(decisions, -BOUND, BOUND))
    return np.column_stack([1 - s, s])
