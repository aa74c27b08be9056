"""AdaBoost of decision stumps: SAMME.R, which boosts by class probabilities, and scikit-learn's SAMME (table 5.1).

SAMME.R is algorithm 4 of Zhu, Zou, Rosset and Hastie, "Multi-class AdaBoost", Statistics and Its Interface 2, 2009. It
was the default of scikit-learn's AdaBoostClassifier, which has it no more (docs/decisions.md, D5.8).
"""

from dataclasses import dataclass

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.learners.estimator import Estimator


@dataclass(frozen=True)
class Samme(Estimator):
    """SAMME, which boosts by the labels that the stumps predict: all that scikit-learn still has."""

    kind: type = AdaBoostClassifier


@dataclass(frozen=True)
class SammeR:
    """Configurations hold n_estimators, the most stumps; the learning rate is 1.

    floor: what stands for a smaller class probability, whose logarithm would have no bound; that of scikit-learn 0.17
    and later, before it 1e-5 (docs/decisions.md, the learners of 2016).
    """

    floor: float = np.finfo(float).eps

    def fit(self, configuration, X, y, rng):
        """Return the Boosted stumps trained on X (n, p), y (n,); rng draws which of equal splits a stump takes.

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
        return Boosted(classes, stumps, self.floor)

    def unconverged(self, model):
        """0: boosting ends after as many stumps as the configuration says."""
        return 0


def log_probabilities(stump, X, floor):
    """log p_c(x) of every row of X (n, p) and class c (n, k), no p below floor."""
    return np.log(np.maximum(stump.predict_proba(X), floor))


def reweighted(weights, log_p, labels):
    """The weights (n,) of the rows for the next stump; their sum is 1.

    weights (n,): those that the last stump was trained with. log_p (n, k): its log_probabilities.
    labels (n,): the rows' classes, numbered from 0.
    """
    # w exp(-(k - 1) / k  y . log p), where y is 1 at the row's class and -1 / (k - 1) elsewhere (algorithm 4, 2 d).
    # y . log p = k / (k - 1) (log p_own - mean log p), so k cancels.
    own = log_p[np.arange(len(labels)), labels]
    raised = weights * np.exp(log_p.mean(axis=1) - own)
    return raised / raised.sum()


@dataclass(frozen=True)
class Boosted:
    """Classes (k,), stumps (list) and the floor of their probabilities."""

    classes: np.ndarray
    stumps: list
    floor: float

    def predict(self, X):
        """Class of each row of X (n, p): the one of the highest score, the first of equals."""
        return self.classes[self.scores(X).argmax(axis=1)]

    def scores(self, X):
        """(n, k) sum over the stumps of (k - 1) (log p_c - mean log p) (algorithm 4, 2 c and 3)."""
        log_p = sum(log_probabilities(stump, X, self.floor) for stump in self.stumps)
        return (len(self.classes) - 1) * (log_p - log_p.mean(axis=1, keepdims=True))
