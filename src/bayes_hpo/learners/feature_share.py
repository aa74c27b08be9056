"""Trees that consider a share of the features (Lacoste et al. 2014, 6.1), or a power of their number (VolcanoML)."""

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.learners.estimator import Estimator, FittedEstimator


class FeatureShare(Estimator):
    """An estimator whose `max_features` is a share: max(1, round(share p)) of p features are considered.

    scikit-learn would round down.
    """

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The FittedEstimator trained on X (n, p), y (n,). Raises: as `Estimator.fit`."""
        tried = max(1, self.tried(configuration["max_features"], X.shape[1]))
        return super().fit(configuration | {"max_features": tried}, X, y, rng)

    def tried(self, max_features: float, p: int) -> int:
        """Number of features to consider out of p; `fit` replaces 0 by 1."""
        return round(max_features * p)


class FeatureExponent(FeatureShare):
    """An estimator whose `max_features` is an exponent: max(1, floor(p^exponent)) of p features are considered.

    Source: Shen et al. 2022, table 6, as in VolcanoML's code (protocol, 3.1).
    """

    def tried(self, max_features: float, p: int) -> int:
        return int(p**max_features)
