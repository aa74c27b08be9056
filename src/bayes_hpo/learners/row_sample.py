"""A transformer that is fitted to a draw of the training rows, where its cost grows with a power of them (D10)."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.learners.estimator import Estimator, FittedEstimator


@dataclass(frozen=True, kw_only=True)
class RowSample(Estimator):
    """most_rows: the most rows that the estimator is fitted to, of more a draw without replacement."""

    most_rows: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The FittedEstimator of X (n, p), y (n,); rng draws the rows too. Raises: as `Estimator.fit`."""
        rows = np.sort(rng.permutation(len(X))[: self.most_rows])
        return super().fit(configuration, X[rows], y[rows], rng)
