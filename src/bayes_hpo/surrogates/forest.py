"""SMAC's surrogate: a random forest of regression trees that predicts a mean and a variance (Hutter et al., 2011)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeRegressor

from bayes_hpo.configuration.limits import PositiveFloat, PositiveInt, Range
from bayes_hpo.contracts import Memory


@dataclass(frozen=True)
class Forest:
    """Settings of the forest; each tree is grown on a bootstrap sample of the rows.

    trees: number of trees.
    features: fraction of the features considered at each split.
    min_split: minimum number of bootstrap rows in a node that is split.
    min_leaf: minimum number of bootstrap rows in a leaf.
    depth: maximum depth of a tree.
    floor: minimum predicted variance.
    """

    trees: PositiveInt
    features: Annotated[float, Range(gt=0, le=1)]
    min_split: Annotated[int, Range(ge=2)]
    min_leaf: PositiveInt
    depth: PositiveInt
    floor: PositiveFloat

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> "FittedForest":
        """Fit the forest to the targets (n,) at points (n, d); rng draws bootstrap samples and features."""
        X = _single(points)
        return self.fitted([self._grown(X, targets, rng) for _ in range(self.trees)])

    def fitted(self, trees: list) -> "FittedForest":
        """The fitted surrogate made of the trees."""
        return FittedForest(trees, self.floor)

    def _grown(self, X, y, rng):
        """Grow a tree; repeated rows count as often as they were drawn, also for min_split and min_leaf."""
        # Breiman 2001: a bootstrap sample for each tree, a random subset of the features for each split
        rows = rng.integers(len(y), size=len(y))
        tree = DecisionTreeRegressor(
            max_features=self.features,
            min_samples_split=self.min_split,
            min_samples_leaf=self.min_leaf,
            max_depth=self.depth,
            random_state=int(rng.integers(2**31)),
        )
        return tree.fit(X[rows], y[rows], check_input=False)


class ForestOfMeans(Forest):
    """A forest whose predicted variance is that of the tree means alone (Shen et al. 2022, 4.1; D19)."""

    def fitted(self, trees: list) -> "FittedForest":
        return FittedMeans(trees, self.floor)


@dataclass(frozen=True)
class FittedForest:
    """Fitted trees. floor: minimum predicted variance."""

    trees: list
    floor: float

    @property
    def state(self) -> Memory:
        """Empty: every forest is grown from scratch."""
        return {}

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Mean (1, m) and variance (1, m) at points (m, d), in the shape of a posterior with a single sample."""
        points = _single(points)
        means, variances = np.transpose([_leaf_moments(tree, points) for tree in self.trees], (1, 0, 2))  # (trees, m)
        return means.mean(axis=0)[None], np.maximum(self.variance(means, variances), self.floor)[None]

    def variance(self, means: NDArray, variances: NDArray) -> NDArray:
        """Predicted variance (m,), given the means (trees, m) and variances (trees, m) of the leaves.

        Both terms are unbiased estimates (0 for a single value).
        """
        # law of total variance: Var y = Var(E[y | tree]) + E(Var[y | tree])
        return _unbiased(means.var(axis=0), len(means)) + variances.mean(axis=0)


class FittedMeans(FittedForest):
    """Fitted trees of which only the leaf means are used."""

    def variance(self, means: NDArray, variances: NDArray) -> NDArray:
        return _unbiased(means.var(axis=0), len(means))  # Var(E[y | tree]) alone


def _leaf_moments(tree, points):
    """Means (m,) and variances (m,) of the training targets in the leaves that contain the points (m, d)."""
    # the impurity of a leaf is the variance of its targets with divisor n
    leaves, nodes = tree.apply(points, check_input=False), tree.tree_
    return nodes.value[leaves, 0, 0], _unbiased(nodes.impurity[leaves], nodes.n_node_samples[leaves])


def _unbiased(variances, counts):
    """Variances with divisor n - 1, given those of `counts` values with divisor n; unchanged (0) for a single value."""
    return variances * counts / np.maximum(counts - 1, 1)


def _single(points):
    return points.astype(np.float32)  # the only type that scikit-learn's trees accept
