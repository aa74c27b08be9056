"""A surrogate that sees every choice of a category as a coordinate of its own (D19): trees split on single choices."""

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
    """A surrogate over one-hot choices.

    surrogate: is given the coordinates of numbers and of ordered choices as they are, 0 or 1 for every other choice.
    space: of the configurations; a point is one of them, or several side by side.
    """

    surrogate: Surrogate
    space: Space

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> "FittedOneHot":
        """The surrogate fitted to the targets (n,) at points (n, k d)."""
        return FittedOneHot(self.surrogate.fit(self.encoded(points), targets, memory, rng), self)

    def encoded(self, points: NDArray) -> NDArray:
        """Coordinates (m, k e) of points (m, k d), the e of one configuration after those of another."""
        singles = points.reshape(-1, len(self.space))  # (m k, d)
        columns = [_columns(p, u) for p, u in zip(self.space.parameters.values(), singles.T, strict=True)]
        return np.hstack(columns).reshape(len(points), -1)


@dataclass(frozen=True)
class FittedOneHot:
    """What the surrogate has been fitted to."""

    predictive: Predictive
    encoding: OneHot

    @property
    def state(self) -> Memory:
        """That of the surrogate."""
        return self.predictive.state

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Means (s, m) and variances (s, m) at points (m, k d)."""
        return self.predictive.moments(self.encoding.encoded(points))


def _columns(p: Any, u: NDArray) -> NDArray:
    """The coordinates (m, e) of a hyperparameter p at the points u (m,) of the unit interval."""
    if isinstance(p, Category) and not p.ordered:
        return (p.bins.number(u)[:, None] == np.arange(p.bins.count)).astype(float)
    return u[:, None]
