"""Trees over pairs of configurations, evaluated at all pairs of two sets.

A split reads a coordinate of the first or of the second configuration of a pair. So every leaf l is a product of two
sets A_l x B_l, and what its tree predicts for all pairs is one product of matrices, nothing approximated.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Tree(NamedTuple):
    """The s splits of a tree, the root first and every one before those below it, and its s + 1 leaves.

    splits: (column, threshold) of each; a pair goes left where its coordinate is not above the threshold.
    children: (left, right) of each, the number of a split, or that of a leaf as its complement ~l.
    values (s + 1,): of the leaves.
    """

    splits: list[tuple[int, float]]
    children: list[tuple[int, int]]
    values: NDArray

    @classmethod
    def of(cls, text: str) -> "Tree":
        """The tree of its part of a model's text, lines of the form name=numbers; no split stands for one leaf."""
        lines = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        columns, left, right = (list(map(int, lines.get(name, "").split())) for name in _WHOLE)
        thresholds = map(float, lines.get("threshold", "").split())
        values = np.array(lines["leaf_value"].split(), dtype=float)
        return cls(list(zip(columns, thresholds, strict=True)), list(zip(left, right, strict=True)), values)


_WHOLE = ("split_feature", "left_child", "right_child")


def read_trees(model: str) -> list[Tree]:
    """The trees of a model in LightGBM's text format (`Booster.model_to_string`), of numbers none of which is missing.

    Its numbers have all digits; a fifth of the time of `Booster.dump_model`, which writes the same as JSON.
    """
    parts = model.split("\nTree=")[1:]  # each ends with an empty line, before what is said of the whole model
    return [Tree.of(part.partition("\n\n")[0]) for part in parts]


def predict_products(forests: list[list[Tree]], firsts: NDArray, seconds: NDArray) -> Iterator[NDArray]:
    """Yield the sum (k, m) of the predictions of each forest's trees for all pairs of firsts (k, d) and seconds (m, d).

    A pair is a point of 2 d coordinates.
    """
    both, k = np.concatenate([firsts, seconds]).T, len(firsts)  # (d, k + m)
    of_side = np.arange(both.shape[1]) < k, np.arange(both.shape[1]) >= k

    @cache  # the trees share most of their splits
    def ways(column, threshold):
        """Which firsts and seconds (k + m,) may go left, and right: all on the side that the split does not read."""
        side, coordinate = divmod(column, len(both))
        is_left = both[coordinate] <= threshold
        return is_left | ~of_side[side], ~(is_left & of_side[side])

    for trees in forests:
        total = np.zeros((k, len(seconds)))
        for tree in trees:
            inside = _leaves(tree, ways, both.shape[1])
            # f(theta, x) = sum over leaves l of value_l [theta in A_l] [x in B_l]
            total += (inside[:, :k].T * tree.values) @ inside[:, k:].astype(float)
        yield total


def _leaves(tree, ways, count):
    """Which of `count` firsts and seconds reach each leaf of a tree (s + 1, count)."""
    inside = np.ones((len(tree.values), count), dtype=bool)
    reaching = [np.ones(count, dtype=bool)] * len(tree.splits)
    for node, (split, children) in enumerate(zip(tree.splits, tree.children, strict=True)):
        for child, goes in zip(children, ways(*split), strict=True):
            if child < 0:
                np.logical_and(reaching[node], goes, out=inside[~child])
            else:
                reaching[child] = reaching[node] & goes
    return inside
