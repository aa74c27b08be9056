"""The random forest of the thesis, 2.6.2 and table 2.1: scikit-learn's forest on features scaled to [0, 1]."""

from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler


class RandomForest:
    """Configurations contain arguments of scikit-learn's RandomForestClassifier."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> Pipeline:
        """Scaling and forest, both fitted to X (n, p), y (n,) only (D26); rng seeds the forest.

        Raises: TypeError for an unknown argument.
        """
        forest = RandomForestClassifier(**configuration, n_jobs=1, random_state=int(rng.integers(2**31)))
        return make_pipeline(MinMaxScaler(), forest).fit(X, y)

    def unconverged(self, forest: Pipeline) -> int:
        """0: a forest has no solver."""
        return 0
