"""Transformers based on chi2, which needs nonnegative data: negative entries are set to 0 (Shen et al. 2022)."""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.learners.estimator import Estimator, FittedEstimator


@dataclass(frozen=True)
class Nonnegative(Estimator):
    """An estimator that clips negative entries to 0 for certain values of hyperparameters.

    clipped: hyperparameter -> value for which entries are clipped.
    """

    clipped: dict = field(default_factory=dict)

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The transformer fitted to X (n, p), y (n,). Raises: as `Estimator.fit`."""
        if not any(configuration[name] == value for name, value in self.clipped.items()):
            return super().fit(configuration, X, y, rng)
        fitted = super().fit(configuration, np.maximum(X, 0), y, rng)
        return Clipped(fitted.estimator, fitted.capped)


class Clipped(FittedEstimator):
    """A fitted transformer that clips negative entries to 0."""

    def transform(self, X: NDArray) -> NDArray:
        """The transformed rows (n, q) of X (n, p)."""
        return super().transform(np.maximum(X, 0))
