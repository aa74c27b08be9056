"""Losses: predictions (n,) and what is true of the same rows (n,) -> the loss of each row (n,)."""

import numpy as np


def zero_one(predictions, truth):
    """1 where a class number is wrong, else 0."""
    return (predictions != truth).astype(float)


def squared_error(predictions, truth):
    """Squared difference, in the squared unit of the target."""
    return (predictions - truth) ** 2


def absolute_error(predictions, truth):
    """Absolute difference, in the unit of the target."""
    return np.abs(predictions - truth)
