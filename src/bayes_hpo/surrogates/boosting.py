"""Boosted trees as a surrogate: an ensemble of LightGBM models that differ only in seed (Shen et al. 2022, 3.1)."""

from dataclasses import dataclass
from typing import Annotated

import lightgbm
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat, PositiveInt, Range
from bayes_hpo.contracts import Memory
from bayes_hpo.surrogates.product_leaves import predict_products, read_trees
from bayes_hpo.surrogates.targets import Standardized

Share = Annotated[float, Range(gt=0, le=1)]


@dataclass(frozen=True)
class Boosting:
    """Settings of the ensemble, whose members are all trained on all rows (D17).

    members: number of models.
    trees: number of trees per model.
    rate: learning rate.
    leaves: maximum number of leaves per tree.
    depth: maximum depth of a tree.
    min_leaf: minimum number of rows per leaf.
    features: fraction of the coordinates sampled for each tree, the only use of a member's seed.
    bin_rows: maximum number of rows, drawn at random, from which the histogram bins are computed.
    floor: minimum predicted variance.
    """

    members: PositiveInt
    trees: PositiveInt
    rate: Share
    leaves: Annotated[int, Range(ge=2)]
    depth: PositiveInt
    min_leaf: PositiveInt
    features: Share
    bin_rows: PositiveInt
    floor: PositiveFloat

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> "FittedBoosting":
        """Fit the members to the targets (n,) at points (n, d); rng draws their seeds."""
        origin, unit = Standardized().origin_and_unit(targets)
        # binned once for all members
        rows = lightgbm.Dataset(points, (targets - origin) / unit, params=self._settings, free_raw_data=False)
        seeds = rng.integers(2**31, size=self.members).tolist()
        return FittedBoosting([self._grown(rows, seed) for seed in seeds], origin, unit, self.floor)

    def _grown(self, rows, seed):
        settings = self._settings | {"feature_fraction_seed": seed}
        return lightgbm.train(settings, rows, self.trees, keep_training_booster=True)

    @property
    def _settings(self):
        """LightGBM parameters. Row-wise histograms are forced, since LightGBM otherwise picks a layout by timing it."""
        return {
            "objective": "regression",
            "learning_rate": self.rate,
            "num_leaves": self.leaves,
            "max_depth": self.depth,
            "min_data_in_leaf": self.min_leaf,
            "feature_fraction": self.features,
            "bin_construct_sample_cnt": self.bin_rows,
            "force_row_wise": True,
            "deterministic": True,
            "num_threads": 1,
            "verbosity": -1,
        }


@dataclass(frozen=True)
class FittedBoosting:
    """Members fitted to targets standardized by `origin` and `unit`."""

    boosters: list
    origin: float
    unit: float
    floor: float

    @property
    def state(self) -> Memory:
        """Empty: every model is trained from scratch."""
        return {}

    def members(self, points: NDArray) -> NDArray:
        """Predictions (members, m) of each model at points (m, d)."""
        return self.origin + self.unit * np.array([booster.predict(points) for booster in self.boosters])

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Mean (1, m) and variance (1, m) of the models' predictions, with the number of models as divisor (D17)."""
        mean, variance = self._moments(self.members(points))
        return mean[None], variance[None]

    def members_between(self, firsts: NDArray, seconds: NDArray) -> NDArray:
        """Predictions (members, k, m) of models fitted to pairs, for all pairs of firsts (k, d) and seconds (m, d)."""
        forests = [read_trees(booster.model_to_string()) for booster in self.boosters]
        return self.origin + self.unit * np.array(list(predict_products(forests, firsts, seconds)))

    def moments_between(self, firsts: NDArray, seconds: NDArray) -> tuple[NDArray, NDArray]:
        """Mean (k, m) and variance (k, m), as in `moments`, for all pairs of firsts (k, d) and seconds (m, d)."""
        return self._moments(self.members_between(firsts, seconds))

    def _moments(self, members):
        return members.mean(axis=0), np.maximum(members.var(axis=0), self.floor)
