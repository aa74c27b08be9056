"""Quadratic discriminant analysis, regularised by any strength (thesis, table 5.1).

scikit-learn refuses strengths above 1, which the published space has; here stands the formula of the library of that
time, (1 - r) S + r I for each class's covariance S (divisor n - 1), whatever it gives (docs/decisions.md,
D5.9).
"""

from dataclasses import dataclass

import numpy as np


class Quadratic:
    """Configurations hold reg_param, the r of the formula."""

    def fit(self, configuration, X, y, rng):
        """Return the Gaussians of the classes of X (n, p), y (n,); rng is for learners that draw.

        Raises: ValueError when y holds one class only, or a class one row only.
        """
        classes, counts = np.unique(y, return_counts=True)
        if len(classes) < 2:
            raise ValueError("all training rows are of one class, there is nothing to tell apart")
        if counts.min() < 2:
            raise ValueError(f"class {classes[counts.argmin()]} has one training row only, so it has no covariance")
        gaussians = [Gaussian.of(X[y == label], configuration["reg_param"]) for label in classes]
        return Gaussians(classes, np.log(counts / len(y)), gaussians)

    def unconverged(self, model):
        """0: the formula has no solver that could stop early."""
        return 0


@dataclass(frozen=True)
class Gaussians:
    """Classes (k,), the logarithms of their shares (k,), and a Gaussian each (list)."""

    classes: np.ndarray
    log_shares: np.ndarray
    gaussians: list

    def predict(self, X):
        """Class of each row of X (n, p): the one of the highest score, where NaN is higher than any number."""
        return self.classes[self.scores(X).argmax(axis=1)]

    def scores(self, X):
        """(n, k) logarithm of share x density of each class, up to what they have in common."""
        return self.log_shares + np.column_stack([gaussian.log_density(X) for gaussian in self.gaussians])


@dataclass(frozen=True)
class Gaussian:
    """A mean (p,), principal axes (p, k) and the regularised variances (k,) along them, k = min(rows, p).

    What lies outside the axes counts for nothing. A variance is negative where r > 1 outweighs the data's.
    """

    mean: np.ndarray
    axes: np.ndarray
    variances: np.ndarray

    @classmethod
    def of(cls, X, r):
        """The Gaussian of the rows X (n, p) under regularisation r."""
        mean = X.mean(axis=0)
        _, singular, axes = np.linalg.svd(X - mean, full_matrices=False)
        return cls(mean, axes.T, (1 - r) * singular**2 / (len(X) - 1) + r)

    def log_density(self, X):
        """(n,) logarithm of the density at X (n, p), up to a constant; NaN everywhere with a negative variance."""
        with np.errstate(invalid="ignore", divide="ignore"):
            scaled = (X - self.mean) @ (self.axes * self.variances**-0.5)  # (n, k)
            return -0.5 * ((scaled**2).sum(axis=1) + np.log(self.variances).sum())
