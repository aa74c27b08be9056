"""Kendall's rank correlation, by which surrogates are compared (Shen et al. 2022, 4.1)."""

from numpy.typing import NDArray
from scipy.stats import kendalltau


def kendall(first: NDArray, second: NDArray) -> float:
    """Kendall's tau of two arrays (m,), in [-1, 1]; NaN where one of them is constant.

    tau_b = (P - Q) / sqrt((P + Q + T) (P + Q + U)): P pairs are in the same order in both, Q in opposite orders, T are
    equal in the first only, U in the second only.
    """
    return float(kendalltau(first, second).statistic)
