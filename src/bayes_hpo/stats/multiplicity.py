"""Levels of many tests at once."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def benjamini_yekutieli(p: ArrayLike) -> NDArray:
    """Adjusted p (n,) of the p (n,) of n tests that may depend on each other in any way, at most 1.

    The lowest false discovery rate at which each test would be called significant.
    Source: Benjamini and Yekutieli, Annals of Statistics 29 (2001), theorem 1.3.
    """
    p = np.asarray(p, dtype=float)
    order, n = np.argsort(p), len(p)
    # min over j >= i of p_(j) n (1 + 1/2 + ... + 1/n) / j
    raised = p[order] * n * (1 / np.arange(1, n + 1)).sum() / np.arange(1, n + 1)
    adjusted = np.empty(n)
    adjusted[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1)
    return adjusted
