"""Trees that try a share of the features at each split (Lacoste et al. 2014, 6.1)."""

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.learners.estimator import Estimator, FittedEstimator


class FeatureShare(Estimator):
    """An estimator whose `max_features` is a share: of p features, max(1, round(share p)) are tried.

    scikit-learn itself rounds down.
    """

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The FittedEstimator trained on X (n, p), y (n,). Raises: as `Estimator.fit`."""
        tried = max(1, round(configuration["max_features"] * X.shape[1]))
        return super().fit(configuration | {"max_features": tried}, X, y, rng)
