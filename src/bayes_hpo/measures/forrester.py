"""The simulated function of the toy measures, with and without noise."""

import numpy as np


def forrester(x):
    """The function of Forrester, Sobester and Keane (2008) as an error, x (n,) in [0, 1]: .15 + its value / 100.

    Lowest, .0898, at x = .757; a second valley, .140, at x = .143.
    """
    return 0.15 + (6 * x - 2) ** 2 * np.sin(12 * x - 4) / 100


def observed(seeds, n, noise):
    """n uniform draws x (n,) and the function there (n,) with Gaussian noise of that standard deviation."""
    x = seeds("points").random(n)
    return x, forrester(x) + noise * seeds("noise").standard_normal(n)
