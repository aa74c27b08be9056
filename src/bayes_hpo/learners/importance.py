"""Selection of the columns that are important in a fitted model (Shen et al. 2022, table 7)."""

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.feature_selection import SelectFromModel

from bayes_hpo.learners.estimator import Estimator, FittedEstimator


@dataclass(frozen=True)
class Importance:
    """Keeps the columns whose importance in a model is at least the mean; configurations hold those of the model.

    The importance in a linear model is the size of the coefficient, of several classes the sum of the sizes.

    model: an estimator with feature importances or coefficients.
    """

    model: Estimator

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The fitted selector of X (n, p), y (n,); rng is for the model. Raises: as `Estimator.fit`."""
        fitted = self.model.fit(configuration, X, y, rng)
        return FittedEstimator(SelectFromModel(fitted.estimator, threshold="mean", prefit=True), fitted.capped)
