"""One-hot encoding for a surrogate: each choice of a category is a coordinate, so that trees can split on it (D19)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.contracts import Memory, Predictive, Surrogate
from bayes_hpo.spaces.parameters import Category
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True)
class OneHot:
    """A surrogate on one-hot encoded points.

    surrogate: inner surrogate; numbers and ordered choices stay as they are, any other choice becomes a 0/1 indicator.
    space: search space; a point is one configuration, or several concatenated.
    """

    surrogate: Surrogate
    space: Space

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> "FittedOneHot":
        """Fit the inner surrogate to the targets (n,) at points (n, k d)."""
        return FittedOneHot(self.surrogate.fit(self.encoded(points), targets, memory, rng), self)

    def encoded(self, points: NDArray) -> NDArray:
        """Encoded points (m, k e) of points (m, k d): e coordinates for each of the k configurations, in order."""
        singles = points.reshape(-1, len(self.space))  # (m k, d)
        columns = [_columns(p, u) for p, u in zip(self.space.parameters.values(), singles.T, strict=True)]
        return np.hstack(columns).reshape(len(points), -1)


@dataclass(frozen=True)
class FittedOneHot:
    """A fitted inner surrogate, evaluated at encoded points."""

    predictive: Predictive
    encoding: OneHot

    @property
    def state(self) -> Memory:
        """State of the inner surrogate."""
        return self.predictive.state

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Means (s, m) and variances (s, m) at points (m, k d)."""
        return self.predictive.moments(self.encoding.encoded(points))


def _columns(p: Any, u: NDArray) -> NDArray:
    """Encoded coordinates (m, e) of hyperparameter p at points u (m,) of the unit interval."""
    if isinstance(p, Category) and not p.ordered:
        return (p.bins.number(u)[:, None] == np.arange(p.bins.count)).astype(float)
    return u[:, None]
