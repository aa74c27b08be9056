"""Ties of votes: each row has an order of the labels, and the first of the labels with the most votes wins (D21).

An order is given by priorities (n_classes, n) in [0, 1[, highest first. Votes are integers, so the winner of a row is
the label with the highest votes + priority. Shapes: n rows.
"""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray


@runtime_checkable
class Ties(Protocol):
    """A tie-breaking rule."""

    def __call__(self, n_classes: int, n: int, rng: Generator, /) -> NDArray:
        """Priorities (n_classes, n); those of the first labels do not depend on n_classes."""
        ...

    def __hash__(self) -> int: ...


def random_order(n_classes: int, n: int, rng: Generator) -> NDArray:
    """Priorities (n_classes, n) of a random order in each row (thesis, 4.3.3).

    They are drawn label by label, so a class that nobody has voted for yet does not change the order of the others.
    """
    return rng.random((n_classes, n))


def smallest_label(n_classes: int, n: int, rng: Generator) -> NDArray:
    """Priorities (n_classes, n) in the order of class numbers (the code of Lacoste et al. 2014 and of Lévesque)."""
    return np.repeat(1 / (2 + np.arange(n_classes))[:, None], n, axis=1)


def truth_last(truth: NDArray, n_classes: int) -> NDArray:
    """Priorities (n_classes, n) that make every tie an error, given the true labels (n,) (thesis, eq. 4.9)."""
    return np.where(np.arange(n_classes)[:, None] == truth, 0.0, 0.5)
