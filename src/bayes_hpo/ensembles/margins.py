"""Losses of a row as functions of its margin, and of a set of rows as functions of the margin's moments (thesis, 4.3).

M in [-1, 1]: mean over the members of +1 if right, -1 if wrong. mu1, mu2: means of M and M^2 over rows.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayes_hpo.errors import UserError

LEAST_DIFFERENCE = 1e-3  # epsilon of the sigmoid: minimum change of the loss when one vote changes
SMALLEST = 3  # smallest ensemble for which the sigmoid has a slope; smaller ones take the same (D25)
PEAK, STEEP = 1.5434, 64.0  # slopes: argmax of d_min(a | m) for large m; where every d_min is below epsilon


def margin_loss(M: ArrayLike) -> NDArray:
    """(1 - M) / 2, the fraction of members that are wrong (eq. 4.7)."""
    return (1 - np.asarray(M)) / 2


def squared_margin_loss(M: ArrayLike) -> NDArray:
    """(1 - M)^2 / 4 (eq. 4.8)."""
    return (1 - np.asarray(M)) ** 2 / 4


def sigmoid_loss(M: ArrayLike, slope: float) -> NDArray:
    """1 - s(M, a), s(x, a) = 1 / (1 + exp(-a x)) (eq. 4.23)."""
    return 1 / (1 + np.exp(slope * np.asarray(M)))


def c_bound_loss(mu1: ArrayLike, mu2: ArrayLike) -> NDArray:
    """(1 - sign(mu1) mu1^2 / mu2) / 2; 1/2 where mu2 = 0 (eq. 4.22; D25)."""
    mu1, mu2 = np.asarray(mu1, dtype=float), np.asarray(mu2, dtype=float)
    return (1 - np.sign(mu1) * mu1**2 / np.where(mu2 > 0, mu2, 1)) / 2


def disagreement(mu2: ArrayLike) -> NDArray:
    """(1 - mu2) / 2: how often one of two members, drawn with replacement, is right and the other wrong (eq. 4.18)."""
    return (1 - np.asarray(mu2)) / 2


@lru_cache
def sigmoid_slope(size: int) -> float:
    """Slope a of the sigmoid loss for `size` members: the larger root of d_min(a | m) = epsilon (thesis, 4.3.3).

    Raises: UserError for more than 448 members, for which one vote changes the loss by less than epsilon at any slope.
    """
    m = max(size, SMALLEST)
    if least_difference(PEAK, m) < LEAST_DIFFERENCE:
        raise UserError(f"the sigmoid loss has no slope for {m} members; choose another loss, or fewer members")
    low, high = PEAK, STEEP  # d_min exceeds epsilon at PEAK and crosses it once before STEEP
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if least_difference(middle, m) > LEAST_DIFFERENCE else (low, middle)
    return (low + high) / 2


def least_difference(slope: float, size: int) -> float:
    """d_min(a | m) = s(1, a) - s(1 - 2/m, a): change of the loss by the last of m votes."""
    return float(sigmoid_loss(1 - 2 / size, slope) - sigmoid_loss(1, slope))
