"""A transformer fitted to a sample of the training rows, because its cost is superlinear in their number (D10)."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.learners.estimator import Estimator, FittedEstimator


@dataclass(frozen=True, kw_only=True)
class RowSample(Estimator):
    """An estimator fitted to at most `most_rows` rows, sampled without replacement."""

    most_rows: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The FittedEstimator, given X (n, p), y (n,); rng also draws the rows. Raises: as `Estimator.fit`."""
        rows = np.sort(rng.permutation(len(X))[: self.most_rows])
        return super().fit(configuration, X[rows], y[rows], rng)
