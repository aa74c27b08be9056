"""The simulated function of the toy measures, with and without noise."""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.seeds import Seeds


def forrester(x: NDArray) -> NDArray:
    """The function of Forrester, Sobester and Keane (2008) as an error (n,), x (n,) in [0, 1].

    Its minimum is .0898 at x = .757, a local one .140 at x = .143.
    """
    # .15 + (6 x - 2)^2 sin(12 x - 4) / 100
    return 0.15 + (6 * x - 2) ** 2 * np.sin(12 * x - 4) / 100


def observed(seeds: Seeds, n: int, noise: float) -> tuple[NDArray, NDArray]:
    """n uniform draws x (n,) and the function of them (n,) with Gaussian noise; noise: its standard deviation."""
    x = seeds("points").random(n)
    return x, forrester(x) + noise * seeds("noise").standard_normal(n)
