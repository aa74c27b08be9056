"""Levels of many tests at once."""

import numpy as np


def benjamini_yekutieli(p):
    """Adjusted levels (n,) of the levels p (n,) of n tests that may depend on each other in any way.

    The least share of false ones among all that would be called at such a level, at most 1.
    Source: Benjamini and Yekutieli, Annals of Statistics 29 (2001), theorem 1.3.
    """
    p = np.asarray(p, dtype=float)
    order, n = np.argsort(p), len(p)
    # min over j >= i of p_(j) n (1 + 1/2 + ... + 1/n) / j
    raised = p[order] * n * (1 / np.arange(1, n + 1)).sum() / np.arange(1, n + 1)
    adjusted = np.empty(n)
    adjusted[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1)
    return adjusted
