"""Boosted trees of XGBoost as a surrogate, with the recipe of `boosting` (Shen et al. 2022, 4.2; D18)."""

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat, PositiveInt
from bayes_hpo.contracts import Memory
from bayes_hpo.surrogates.boosting import FittedBoosting, Share
from bayes_hpo.surrogates.targets import Standardized


@dataclass(frozen=True)
class XGBoosting:
    """How the members of the ensemble are grown, each on all rows.

    members: number of models.
    trees: of a model.
    rate: learning rate.
    depth: most splits on the way to a leaf. min_leaf: least number of rows in one.
    features: share of the coordinates that a tree is grown on; what its member's seed draws.
    floor: least variance that is predicted.
    """

    members: PositiveInt
    trees: PositiveInt
    rate: Share
    depth: PositiveInt
    min_leaf: PositiveInt
    features: Share
    floor: PositiveFloat

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> FittedBoosting:
        """The members fitted to the targets (n,) at points (n, d); rng draws their seeds.

        Raises: ImportError where xgboost is not installed (the extra `boosting`).
        """
        origin, unit = Standardized().origin_and_unit(targets)
        seeds = rng.integers(2**31, size=self.members).tolist()
        models = [self._unfitted(seed).fit(points, (targets - origin) / unit) for seed in seeds]
        return FittedBoosting(models, origin, unit, self.floor)

    def _unfitted(self, seed):
        from xgboost import XGBRegressor  # of an extra

        return XGBRegressor(
            n_estimators=self.trees,
            learning_rate=self.rate,
            max_depth=self.depth,
            min_child_weight=self.min_leaf,  # of squared errors, a row weighs one
            colsample_bytree=self.features,
            random_state=seed,
            n_jobs=1,
        )
