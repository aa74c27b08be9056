"""Feature selection by importance in a fitted model (Shen et al. 2022, table 7)."""

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.feature_selection import SelectFromModel

from bayes_hpo.learners.estimator import Estimator, FittedEstimator


@dataclass(frozen=True)
class Importance:
    """Keeps the features whose importance is at least the mean importance; configurations are those of the model.

    In a linear model, importance is the absolute coefficient, summed over the classes.

    model: estimator with feature importances or coefficients.
    """

    model: Estimator

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The feature selector fitted to X (n, p), y (n,); rng is for the model. Raises: as `Estimator.fit`."""
        fitted = self.model.fit(configuration, X, y, rng)
        return FittedEstimator(SelectFromModel(fitted.estimator, threshold="mean", prefit=True), fitted.capped)
