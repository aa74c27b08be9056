"""Loss functions for single rows."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Loss(Protocol):
    """The loss function of a task."""

    def __call__(self, predictions: NDArray, truth: NDArray, /) -> NDArray:
        """Loss (n,) of each row, given the predictions (n,) and the truth (n,)."""
        ...


def zero_one(predictions: NDArray, truth: NDArray) -> NDArray:
    """Loss (n,): 1 where the predicted class (n,) differs from the true class (n,), else 0."""
    return (predictions != truth).astype(float)


def squared_error(predictions: NDArray, truth: NDArray) -> NDArray:
    """Squared error (n,) of values (n,), in the squared unit of the target."""
    return (predictions - truth) ** 2


def absolute_error(predictions: NDArray, truth: NDArray) -> NDArray:
    """Absolute error (n,) of values (n,), in the unit of the target."""
    return np.abs(predictions - truth)
