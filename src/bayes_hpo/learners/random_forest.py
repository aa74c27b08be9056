"""The random forest of section 2.6.2: features scaled to [0, 1], scikit-learn's forest (thesis, table 2.1)."""

from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler


class RandomForest:
    """Configurations hold arguments of scikit-learn's RandomForestClassifier, by their names."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> Pipeline:
        """Scaling and forest, both fitted to X (n, p), y (n,) alone (D26).

        rng draws the forest's bootstraps and features. Raises: TypeError for an unknown argument.
        """
        forest = RandomForestClassifier(**configuration, n_jobs=1, random_state=int(rng.integers(2**31)))
        return make_pipeline(MinMaxScaler(), forest).fit(X, y)

    def unconverged(self, forest: Pipeline) -> int:
        """0: a forest is grown without a solver."""
        return 0
