"""AdaBoost of decision trees: SAMME.R, which boosts by class probabilities, and scikit-learn's SAMME (table 5.1).

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
    """SAMME, which boosts by the labels that the stumps predict: what scikit-learn still has."""

    kind: type = AdaBoostClassifier


@dataclass(frozen=True)
class SammeTrees(Samme):
    """SAMME of trees (Shen et al. 2022, table 6): configurations hold their max_depth too."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The FittedEstimator trained on X (n, p), y (n,); rng seeds the trees. Raises: as `Estimator.fit`."""
        boosting = {name: value for name, value in configuration.items() if name != "max_depth"}
        tree = DecisionTreeClassifier(max_depth=configuration["max_depth"])
        return super().fit(boosting | {"estimator": tree}, X, y, rng)


@dataclass(frozen=True)
class SammeR:
    """Configurations hold n_estimators, the most stumps; the learning rate is 1.

    floor: lower bound of class probabilities, without which their logarithms would have none; that of scikit-learn
        0.17 and later, before it 1e-5 (docs/decisions.md, the learners of 2016).
    """

    floor: float = float(np.finfo(float).eps)

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "BoostedStumps":
        """The stumps trained on X (n, p), y (n,); rng draws which of equal splits a stump takes.

        A stump without an error is the last.
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
        """0: boosting ends after as many stumps as the configuration says."""
        return 0


def log_probabilities(stump: DecisionTreeClassifier, X: NDArray, floor: float) -> NDArray:
    """log p_c(x) (n, k) of every row of X (n, p) and class c, no p below floor."""
    return np.log(np.maximum(stump.predict_proba(X), floor))


def reweighted(weights: NDArray, log_p: NDArray, labels: NDArray) -> NDArray:
    """The weights (n,) of the rows for the next stump; their sum is 1.

    weights (n,): those that the last stump was trained with.
    log_p (n, k): the log_probabilities of the last stump.
    labels (n,): the rows' classes, numbered from 0.
    """
    # w exp(-(k - 1) / k  y . log p), where y is 1 at the row's class and -1 / (k - 1) elsewhere (algorithm 4, 2 d).
    # y . log p = k / (k - 1) (log p_true - mean log p), so k cancels.
    log_p_true = log_p[np.arange(len(labels)), labels]
    unnormalized = weights * np.exp(log_p.mean(axis=1) - log_p_true)
    return unnormalized / unnormalized.sum()


@dataclass(frozen=True)
class BoostedStumps:
    """Classes (k,), fitted stumps and the floor of their probabilities."""

    classes: NDArray
    stumps: list[DecisionTreeClassifier]
    floor: float

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each row of X (n, p): the one of the highest score, the first of equals."""
        return self.classes[self.scores(X).argmax(axis=1)]

    def scores(self, X: NDArray) -> NDArray:
        """(n, k) sum over the stumps of (k - 1) (log p_c - mean log p) (algorithm 4, 2 c and 3)."""
        log_p = sum((log_probabilities(stump, X, self.floor) for stump in self.stumps), np.zeros(()))
        return (len(self.classes) - 1) * (log_p - log_p.mean(axis=1, keepdims=True))
