"""Operators of Shen et al. 2022, table 7, whose hyperparameters differ from scikit-learn's arguments."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.feature_selection import chi2, f_classif, mutual_info_classif

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.learners.bounded import Bounded
from bayes_hpo.learners.estimator import Estimator, FittedEstimator
from bayes_hpo.learners.nonnegative import Nonnegative

POOLING = {"mean": np.mean, "median": np.median, "max": np.max}
STATISTICS = {
    "chi2": chi2,
    "f_classif": f_classif,
    "mutual_info": partial(mutual_info_classif, random_state=0),  # seeds the noise that separates equal values
}


class Robust(Estimator):
    """A robust scaler; configurations contain q_min and q_max, quantiles in [0, 1].

    scikit-learn expects percentages. VolcanoML passes it the quantiles, presumably by mistake (D9).
    """

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The scaler fitted to X (n, p). Raises: as `Estimator.fit`."""
        percentages = 100 * configuration["q_min"], 100 * configuration["q_max"]
        return super().fit({"quantile_range": percentages}, X, y, rng)


class Agglomeration(Bounded):
    """Feature agglomeration; `pooling_func` is mean, median or max."""

    def _unfitted(self, arguments):
        return super()._unfitted(arguments | {"pooling_func": POOLING[arguments["pooling_func"]]})


class Univariate(Nonnegative):
    """Univariate feature selection; `score_func` is chi2, f_classif or mutual_info."""

    def _unfitted(self, arguments):
        return super()._unfitted(arguments | {"score_func": STATISTICS[arguments["score_func"]]})


@dataclass(frozen=True, kw_only=True)
class TreesEmbedding(Estimator):
    """Embeds rows as leaves of random trees; drops `bootstrap`, which scikit-learn's embedding does not have.

    most_depth: upper bound of max_depth for more than `many_rows` training rows.
    """

    many_rows: PositiveInt
    most_depth: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The embedding fitted to X (n, p). Raises: as `Estimator.fit`."""
        arguments = {name: value for name, value in configuration.items() if name != "bootstrap"}
        if len(X) > self.many_rows:
            arguments["max_depth"] = min(arguments["max_depth"], self.most_depth)
        return super().fit(arguments, X, y, rng)
