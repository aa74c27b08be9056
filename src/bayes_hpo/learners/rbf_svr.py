"""Support vector regression: RBF kernel, trained by libsvm through scikit-learn (Lacoste et al. 2014, 6.1)."""

import warnings
from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVR

from bayes_hpo.configuration.limits import PositiveInt


@dataclass(frozen=True)
class RbfSvr:
    """Configurations hold C, gamma and epsilon, for a target of mean 0 and deviation 1 over the training rows.

    max_iter: cap of the solver's iterations.
    """

    max_iter: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedSvr":
        """The FittedSvr trained on X (n, p), y (n,); rng is for learners that draw."""
        mean, deviation = y.mean(), y.std() or 1.0
        solver = SVR(kernel="rbf", max_iter=self.max_iter, **configuration)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # counted in `unconverged`
            solver.fit(X, (y - mean) / deviation)
        return FittedSvr(solver, mean, deviation)

    def unconverged(self, fitted: "FittedSvr") -> int:
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(fitted.solver.fit_status_)


@dataclass(frozen=True)
class FittedSvr:
    """A trained SVR with the mean and the deviation of its target."""

    solver: SVR
    mean: float
    deviation: float

    def predict(self, X: NDArray) -> NDArray:
        """Value (n,) of each row of X (n, p), in the target's unit."""
        return self.mean + self.deviation * self.solver.predict(X)
