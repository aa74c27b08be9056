"""Two-class problems derived from multi-class data sets (Lacoste et al. 2014, 6.2; D1)."""

from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.prepared import Data

MERGED = 7  # most classes that are merged into two groups; of more classes, the two most frequent are kept


def binary(data: Data) -> Data:
    """The Data with two classes and without a given test part, whose rows join the others.

    Up to MERGED classes are merged into the two most balanced groups, ties in the order of the labels. Of more classes,
    only the rows of the two most frequent ones are kept.
    """
    counts = np.bincount(data.y)
    groups = bipartition(counts) if len(counts) <= MERGED else most_frequent(counts)
    kept = groups[data.y] >= 0
    labels = [_joined(data.header["labels"], groups == group) for group in (0, 1)]
    return replace(
        data,
        X=data.X[kept],
        y=groups[data.y[kept]],
        given_test=np.empty(0, np.int64),
        header=data.header | {"labels": labels},
    )


def bipartition(counts: NDArray) -> NDArray:
    """Most balanced grouping (k,) of the classes into 0 and 1, class 0 in group 0, given the row count (k,) of each."""
    k, total = len(counts), int(counts.sum())
    choices = [(0, *others) for size in range(k - 1) for others in combinations(range(1, k), size)]
    first = min(choices, key=lambda classes: (abs(total - 2 * int(counts[list(classes)].sum())), classes))
    return np.where(np.isin(np.arange(k), first), 0, 1)


def most_frequent(counts: NDArray) -> NDArray:
    """Group (k,) of each class: 0 and 1 for the two with most rows, in the order of the labels; -1 for the others."""
    kept = np.sort(np.argsort(-counts, kind="stable")[:2])
    groups = np.full(len(counts), -1)
    groups[kept] = 0, 1
    return groups


def _joined(labels, chosen):
    return "+".join(str(label) for label, one in zip(labels, chosen, strict=True) if one)
