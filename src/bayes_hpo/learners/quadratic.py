"""Quadratic discriminant analysis, regularized by any strength (thesis, table 5.1).

scikit-learn no longer allows strengths above 1, which the published space contains. This is the formula of its earlier
versions, (1 - r) S + r I for each class's covariance S (divisor n - 1), at any r (docs/decisions.md, D5.9).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray


class Quadratic:
    """Configurations hold reg_param, the r of the formula."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "Gaussians":
        """The Gaussians of the classes of X (n, p), y (n,); rng is for learners that draw.

        Raises: ValueError when y holds one class only, or a class one row only.
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
    """Classes (k,), the logarithms of their shares (k,), and a Gaussian for each."""

    classes: NDArray
    log_shares: NDArray
    gaussians: "list[Gaussian]"

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each row of X (n, p): that of the highest score, where NaN is higher than any number."""
        return self.classes[self.scores(X).argmax(axis=1)]

    def scores(self, X: NDArray) -> NDArray:
        """Logarithm (n, k) of share x density of each class at X (n, p), up to a constant."""
        return self.log_shares + np.column_stack([gaussian.log_density(X) for gaussian in self.gaussians])


@dataclass(frozen=True)
class Gaussian:
    """A mean (p,), principal axes (p, k) and the regularized variances (k,) along them, k = min(rows, p).

    Directions outside the axes are ignored. A variance is negative where r > 1 outweighs that of the data.
    """

    mean: NDArray
    axes: NDArray
    variances: NDArray

    @classmethod
    def of(cls, X: NDArray, r: float) -> "Gaussian":
        """The Gaussian of the rows X (n, p) under regularization r."""
        # X - mean = U diag(s) V', so S = V diag(s^2 / (n - 1)) V'
        mean = X.mean(axis=0)
        _, singular, axes = np.linalg.svd(X - mean, full_matrices=False)
        return cls(mean, axes.T, (1 - r) * singular**2 / (len(X) - 1) + r)

    def log_density(self, X: NDArray) -> NDArray:
        """Logarithm (n,) of the density at X (n, p), up to a constant; NaN everywhere with a negative variance."""
        # -1/2 (|D^(-1/2) V'(x - mean)|^2 + log |D|)
        with np.errstate(invalid="ignore", divide="ignore"):
            scaled = (X - self.mean) @ (self.axes * self.variances**-0.5)  # (n, k)
            return -0.5 * ((scaled**2).sum(axis=1) + np.log(self.variances).sum())
