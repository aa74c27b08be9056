"""Trees over pairs of configurations, evaluated at all pairs of two sets.

A split reads a coordinate of the first or of the second configuration of a pair. So every leaf l is a product of two
sets A_l x B_l, and what its tree predicts for all pairs is one product of matrices, nothing approximated.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def predict_products(trees: list[dict], firsts: NDArray, seconds: NDArray) -> NDArray:
    """Sum (k, m) of the predictions of trees for every pair of firsts (k, d) and seconds (m, d).

    trees: their roots, nested dicts of LightGBM's `dump_model`; a pair is a point of 2 d coordinates, none missing.
    """
    total = np.zeros((len(firsts), len(seconds)))
    everywhere = [np.ones(count, dtype=bool) for count in total.shape]
    for root in trees:
        values, in_first, in_second = zip(*_leaves(root, [firsts.T, seconds.T], everywhere), strict=True)
        # f(theta, x) = sum over leaves l of value_l [theta in A_l] [x in B_l]
        total += (np.transpose(in_first) * np.array(values)) @ np.array(in_second, dtype=float)
    return total


def _leaves(node: dict[str, Any], sides: list[NDArray], inside: list[NDArray]) -> Iterator[tuple]:
    """Yield (value, which firsts (k,), which seconds (m,)) for each leaf below a node.

    sides: coordinates (d, k) and (d, m). inside: which of the firsts and of the seconds reach the node.
    """
    if "leaf_value" in node:
        yield node["leaf_value"], *inside
        return
    side, column = divmod(node["split_feature"], len(sides[0]))
    is_left = sides[side][column] <= node["threshold"]
    for child, goes in ((node["left_child"], is_left), (node["right_child"], ~is_left)):
        yield from _leaves(child, sides, [inside[side] & goes if side == s else inside[s] for s in (0, 1)])
