"""Diversity between models, from their class probabilities on the validation rows (Shen et al. 2022, 3.1).

Shapes: n validation rows.
"""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.ensembles.probabilities import StoredProbabilities


def diversities(probabilities: NDArray, others: NDArray) -> NDArray:
    """Diversities (t,), in [0, 1], between a model (n, n_classes) and each of `others` (t, n, n_classes).

    Div(x_i, x_j) = sqrt(2)/2 mean_s |T_i(s) - T_j(s)|_2  (Shen et al. 2022, eq. 3)
    """
    differences = others.astype(float) - probabilities
    return np.sqrt((differences**2).sum(axis=2) / 2).mean(axis=1)


def minimum_diversity(probabilities: NDArray, members: NDArray) -> float:
    """Diversity between a model (n, n_classes) and the nearest member of an ensemble (m, n, n_classes)."""
    return float(diversities(probabilities, members).min())


def pairwise_disagreement(labels: NDArray) -> NDArray:
    """(t, t) fraction of rows on which two models predict different labels (t, n) (Shen et al. 2022, figure 6)."""
    return np.array([(labels != of_model).mean(axis=1) for of_model in labels])


class DiversityMatrix:
    """Pairwise diversities of the trials of a growing history; its only state is a cache of the latest matrix."""

    def __init__(self) -> None:
        self._values = np.empty((0, 0, 0), np.float32)
        self._matrix = np.empty((0, 0))

    def __call__(self, stored: StoredProbabilities) -> NDArray:
        """Diversities (n_trials, n_trials), symmetric with zero diagonal; entries of failed trials are meaningless."""
        values, known = stored.values, len(self._values)
        if not np.array_equal(values[:known], self._values):
            known = 0
        matrix = np.zeros((len(values), len(values)))
        matrix[:known, :known] = self._matrix[:known, :known]
        for t in range(known, len(values)):
            matrix[t, :t] = matrix[:t, t] = diversities(values[t], values[:t])
        self._values, self._matrix = values, matrix
        return matrix
