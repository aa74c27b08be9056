"""Orders of the labels, one a row: of the labels with the most votes in a row, the first in its order wins (D21).

An order is given by priorities (n_classes, n) in [0, 1[: the label of the highest priority is first. Votes are whole
numbers, so the winner of a row is the label of the highest votes + priority. Shapes: n rows.
"""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray


@runtime_checkable
class Ties(Protocol):
    """A rule for ties of votes."""

    def __call__(self, n_classes: int, n: int, rng: Generator, /) -> NDArray:
        """Priorities (n_classes, n). Those of the first labels are the same whatever n_classes."""
        ...

    def __hash__(self) -> int: ...


def random_order(n_classes: int, n: int, rng: Generator) -> NDArray:
    """Priorities (n_classes, n) of an order drawn for each row (thesis, 4.3.3).

    They are drawn label after label: a class that nobody has voted for so far changes no order of the others.
    """
    return rng.random((n_classes, n))


def smallest_label(n_classes: int, n: int, rng: Generator) -> NDArray:
    """Priorities (n_classes, n) of the order of the class numbers (the code of Lacoste et al. 2014 and of Lévesque)."""
    return np.repeat(1 / (2 + np.arange(n_classes))[:, None], n, axis=1)


def truth_last(truth: NDArray, n_classes: int) -> NDArray:
    """Priorities (n_classes, n) by which every tie is an error, given the true labels (n,) (thesis, eq. 4.9)."""
    return np.where(np.arange(n_classes)[:, None] == truth, 0.0, 0.5)
