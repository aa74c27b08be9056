"""Levels of many tests at once."""

from numpy.typing import ArrayLike, NDArray
from scipy.stats import false_discovery_control


def benjamini_yekutieli(p: ArrayLike) -> NDArray:
    """Adjusted p (n,) of the p (n,) of n tests that may depend on each other in any way, at most 1.

    The lowest false discovery rate at which each test would be called significant.
    Source: Benjamini and Yekutieli, Annals of Statistics 29 (2001), theorem 1.3.
    """
    return false_discovery_control(p, method="by")
