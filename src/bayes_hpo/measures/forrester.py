"""The simulated function of the toy measures, with and without noise."""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.seeds import Seeds


def forrester(x: NDArray) -> NDArray:
    """The function of Forrester, Sobester and Keane (2008), rescaled to an error (n,), at x (n,) in [0, 1].

    Its minimum is .0898 at x = .757; it has a local minimum of .140 at x = .143.
    """
    # .15 + (6 x - 2)^2 sin(12 x - 4) / 100
    return 0.15 + (6 * x - 2) ** 2 * np.sin(12 * x - 4) / 100


def observed(seeds: Seeds, n: int, noise: float) -> tuple[NDArray, NDArray]:
    """n uniform draws x (n,) and noisy values (n,) of the function; noise: standard deviation of the Gaussian noise."""
    x = seeds("points").random(n)
    return x, forrester(x) + noise * seeds("noise").standard_normal(n)
