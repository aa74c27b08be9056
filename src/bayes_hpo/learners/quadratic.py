"""Quadratic discriminant analysis with any regularization strength (thesis, table 5.1).

scikit-learn no longer allows strengths r > 1, which the published space contains. This is the formula of its earlier
versions, (1 - r) S + r I for the covariance S of each class (divisor n - 1), for any r (docs/decisions.md, D5.9).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray


class Quadratic:
    """Configurations contain reg_param, the regularization strength r."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "Gaussians":
        """The Gaussians of the classes of X (n, p), y (n,); rng is not used.

        Raises: ValueError when y contains only one class, or a class has only one row.
        """
        classes, counts = np.unique(y, return_counts=True)
        if len(classes) < 2:
            raise ValueError("all training rows are of one class, there is nothing to tell apart")
        if counts.min() < 2:
            raise ValueError(f"class {classes[counts.argmin()]} has one training row only, so it has no covariance")
        gaussians = [Gaussian.of(X[y == label], configuration["reg_param"]) for label in classes]
        return Gaussians(classes, np.log(counts / len(y)), gaussians)

    def unconverged(self, model: "Gaussians") -> int:
        """0: the formula needs no solver."""
        return 0


@dataclass(frozen=True)
class Gaussians:
    """A fitted model: classes (k,), logarithms of their shares (k,), and one Gaussian per class."""

    classes: NDArray
    log_shares: NDArray
    gaussians: "list[Gaussian]"

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each row of X (n, p): the one with the highest score; NaN counts as the highest."""
        return self.classes[self.scores(X).argmax(axis=1)]

    def scores(self, X: NDArray) -> NDArray:
        """log(share x density) (n, k) of each class at X (n, p), up to a constant."""
        return self.log_shares + np.column_stack([gaussian.log_density(X) for gaussian in self.gaussians])


@dataclass(frozen=True)
class Gaussian:
    """A mean (p,), principal axes (p, k) and the regularized variances (k,) along them, k = min(rows, p).

    Directions outside the span of the axes are ignored. For r > 1 the regularized variance may be negative.
    """

    mean: NDArray
    axes: NDArray
    variances: NDArray

    @classmethod
    def of(cls, X: NDArray, r: float) -> "Gaussian":
        """The Gaussian of the rows X (n, p) with regularization r."""
        # X - mean = U diag(s) V', so S = V diag(s^2 / (n - 1)) V'
        mean = X.mean(axis=0)
        _, singular, axes = np.linalg.svd(X - mean, full_matrices=False)
        return cls(mean, axes.T, (1 - r) * singular**2 / (len(X) - 1) + r)

    def log_density(self, X: NDArray) -> NDArray:
        """Log density (n,) at X (n, p), up to a constant; NaN at every row if a variance is negative."""
        # -1/2 (|D^(-1/2) V'(x - mean)|^2 + log |D|)
        with np.errstate(invalid="ignore", divide="ignore"):
            scaled = (X - self.mean) @ (self.axes * self.variances**-0.5)  # (n, k)
            return -0.5 * ((scaled**2).sum(axis=1) + np.log(self.variances).sum())
