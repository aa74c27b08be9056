"""An estimator whose hyperparameters are capped by the size of the data (Shen et al. 2022, tables 6 and 7; D30)."""

from dataclasses import dataclass, field

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.errors import UserError
from bayes_hpo.learners.estimator import Estimator, FittedEstimator

SIZES = ("features", "features - 1", "discriminants")


@dataclass(frozen=True)
class Bounded(Estimator):
    """An estimator with data-dependent upper bounds of hyperparameters.

    most: hyperparameter -> name of its upper bound: "features" (p), "features - 1", or "discriminants", the number of
        axes that separate k classes, min(p, k - 1).
    Raises: UserError for any other bound, and as `Estimator`.
    """

    most: dict = field(default_factory=dict)

    def __post_init__(self):
        super().__post_init__()
        if unknown := [bound for bound in self.most.values() if bound not in SIZES]:
            raise UserError(f"most={unknown[0]} is not one of {', '.join(SIZES)}")

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedEstimator:
        """The FittedEstimator trained on X (n, p), y (n,). Raises: as `Estimator.fit`."""
        p, k = X.shape[1], len(set(y.tolist()))
        bounds = dict(zip(SIZES, (p, p - 1, min(p, k - 1)), strict=True))
        cut = {name: min(configuration[name], bounds[bound]) for name, bound in self.most.items()}
        return super().fit(configuration | cut, X, y, rng)
