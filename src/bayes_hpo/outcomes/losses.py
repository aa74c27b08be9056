"""Losses of single rows: how wrong a decision is."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Loss(Protocol):
    """A loss, as a task names it."""

    def __call__(self, predictions: NDArray, truth: NDArray, /) -> NDArray:
        """Loss (n,) of each row, given the predictions (n,) and the truth (n,)."""
        ...


def zero_one(predictions: NDArray, truth: NDArray) -> NDArray:
    """Loss (n,): 1 where the predicted class number (n,) is not the true one (n,), else 0."""
    return (predictions != truth).astype(float)


def squared_error(predictions: NDArray, truth: NDArray) -> NDArray:
    """Squared difference (n,) of the values (n,) and (n,), in the squared unit of the target."""
    return (predictions - truth) ** 2


def absolute_error(predictions: NDArray, truth: NDArray) -> NDArray:
    """Absolute difference (n,) of the values (n,) and (n,), in the unit of the target."""
    return np.abs(predictions - truth)
