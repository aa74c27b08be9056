"""XGBoost's boosted trees as a surrogate, built like those of `boosting` (Shen et al. 2022, 4.2; D18)."""

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat, PositiveInt
from bayes_hpo.contracts import Memory
from bayes_hpo.surrogates.boosting import FittedBoosting, Share
from bayes_hpo.surrogates.targets import Standardized


@dataclass(frozen=True)
class XGBoosting:
    """Settings of the ensemble, whose members are all trained on all rows.

    members: number of models.
    trees: number of trees per model.
    rate: learning rate.
    depth: maximum depth of a tree.
    min_leaf: minimum number of rows per leaf.
    features: fraction of the coordinates sampled for each tree, the only use of a member's seed.
    floor: minimum predicted variance.
    """

    members: PositiveInt
    trees: PositiveInt
    rate: Share
    depth: PositiveInt
    min_leaf: PositiveInt
    features: Share
    floor: PositiveFloat

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> FittedBoosting:
        """Fit the members to the targets (n,) at points (n, d); rng draws their seeds.

        Raises: ImportError if xgboost is not installed (extra `boosting`).
        """
        origin, unit = Standardized().origin_and_unit(targets)
        seeds = rng.integers(2**31, size=self.members).tolist()
        models = [self._unfitted(seed).fit(points, (targets - origin) / unit) for seed in seeds]
        return FittedBoosting(models, origin, unit, self.floor)

    def _unfitted(self, seed):
        from xgboost import XGBRegressor  # optional dependency

        return XGBRegressor(
            n_estimators=self.trees,
            learning_rate=self.rate,
            max_depth=self.depth,
            min_child_weight=self.min_leaf,  # under squared error, every row has weight 1
            colsample_bytree=self.features,
            random_state=seed,
            n_jobs=1,
        )
