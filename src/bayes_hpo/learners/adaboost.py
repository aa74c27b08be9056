"""AdaBoost with decision trees: SAMME.R, based on class probabilities, and scikit-learn's SAMME (thesis, table 5.1).

SAMME.R is algorithm 4 of Zhu, Zou, Rosset and Hastie, "Multi-class AdaBoost", Statistics and Its Interface 2, 2009. It
was the default of scikit-learn's AdaBoostClassifier before its removal (docs/decisions.md, D5.8).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.learners.estimator import Estimator, FittedEstimator


@dataclass(frozen=True)
class Samme(Estimator):
    """SAMME, based on predicted labels; scikit-learn still provides it."""

    kind: type = AdaBoostClassifier


@dataclass(frozen=True)
class SammeTrees(Samme):
    """SAMME with trees (Shen et al. 2022, table 6): configurations also contain their max_depth."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The FittedEstimator trained on X (n, p), y (n,); rng seeds the trees. Raises: as `Estimator.fit`."""
        boosting = {name: value for name, value in configuration.items() if name != "max_depth"}
        tree = DecisionTreeClassifier(max_depth=configuration["max_depth"])
        return super().fit(boosting | {"estimator": tree}, X, y, rng)


@dataclass(frozen=True)
class SammeR:
    """SAMME.R with learning rate 1; configurations contain n_estimators, the maximum number of stumps.

    floor: lower bound of the class probabilities, so that their logarithms are finite. The default is that of
        scikit-learn 0.17 and later; earlier versions used 1e-5 (docs/decisions.md, the learners of 2016).
    """

    floor: float = float(np.finfo(float).eps)

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "BoostedStumps":
        """The stumps trained on X (n, p), y (n,); rng breaks ties between splits.

        Boosting stops after a stump without training errors.
        """
        classes, labels = np.unique(y, return_inverse=True)
        weights = np.full(len(y), 1 / len(y))
        stumps = []
        for _ in range(configuration["n_estimators"]):
            stump = DecisionTreeClassifier(max_depth=1, random_state=int(rng.integers(2**31)))
            stumps.append(stump.fit(X, labels, sample_weight=weights))
            log_p = log_probabilities(stump, X, self.floor)
            if weights @ (log_p.argmax(axis=1) != labels) == 0:
                break
            weights = reweighted(weights, log_p, labels)
        return BoostedStumps(classes, stumps, self.floor)

    def unconverged(self, model: "BoostedStumps") -> int:
        """0: boosting has no solver."""
        return 0


def log_probabilities(stump: DecisionTreeClassifier, X: NDArray, floor: float) -> NDArray:
    """log max(p_c(x), floor) (n, k) for every row x of X (n, p) and class c."""
    return np.log(np.maximum(stump.predict_proba(X), floor))


def reweighted(weights: NDArray, log_p: NDArray, labels: NDArray) -> NDArray:
    """Row weights (n,) for the next stump; they sum to 1.

    weights (n,): weights for the last stump.
    log_p (n, k): log probabilities predicted by the last stump (`log_probabilities`).
    labels (n,): class of each row, numbered from 0.
    """
    # w exp(-(k - 1) / k  y . log p), where y is 1 for the row's class and -1 / (k - 1) elsewhere (algorithm 4, 2 d).
    # y . log p = k / (k - 1) (log p_true - mean log p), so k cancels.
    log_p_true = log_p[np.arange(len(labels)), labels]
    unnormalized = weights * np.exp(log_p.mean(axis=1) - log_p_true)
    return unnormalized / unnormalized.sum()


@dataclass(frozen=True)
class BoostedStumps:
    """A fitted SammeR: classes (k,), stumps, and the lower bound of their probabilities."""

    classes: NDArray
    stumps: list[DecisionTreeClassifier]
    floor: float

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each row of X (n, p): the one with the highest score; ties go to the first class."""
        return self.classes[self.scores(X).argmax(axis=1)]

    def scores(self, X: NDArray) -> NDArray:
        """Scores (n, k): sum over the stumps of (k - 1) (log p_c - mean log p) (algorithm 4, 2 c and 3)."""
        log_p = sum((log_probabilities(stump, X, self.floor) for stump in self.stumps), np.zeros(()))
        return (len(self.classes) - 1) * (log_p - log_p.mean(axis=1, keepdims=True))
