"""Support vector regression: RBF kernel, trained by libsvm through scikit-learn (Lacoste et al. 2014, 6.1)."""

import warnings
from dataclasses import dataclass
from typing import Annotated

from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVR

from bayes_hpo.configuration.limits import at_least


@dataclass(frozen=True)
class RbfSvr:
    """Configurations hold C, gamma and epsilon, for a target of mean 0 and deviation 1 over the training rows.

    max_iter: cap of the solver's iterations.
    """

    max_iter: Annotated[int, at_least(1)]

    def fit(self, configuration, X, y, rng):
        """Return the Regression trained on X (n, p), y (n,), in the target's unit; rng is for learners that draw."""
        mean, spread = y.mean(), y.std() or 1.0
        solver = SVR(kernel="rbf", max_iter=self.max_iter, **configuration)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # counted below, not told each time
            solver.fit(X, (y - mean) / spread)
        return Regression(solver, mean, spread)

    def unconverged(self, regression):
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(regression.solver.fit_status_)


@dataclass(frozen=True)
class Regression:
    """A trained SVR with the mean and the deviation of its target."""

    solver: SVR
    mean: float
    spread: float

    def predict(self, X):
        """Value (n,) of each row of X (n, p), in the target's unit."""
        return self.mean + self.spread * self.solver.predict(X)
