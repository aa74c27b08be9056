"""The Poisson binomial test: is one method better than another on most data sets? (Lacoste et al. 2012; 2014, 6.2.)

Shapes: L data sets.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import betainc

SAMPLES = 10_000  # Bayesian bootstraps of the rows of a test part
HELD = 2**22  # weights, or means, in memory at once: 32 MiB


def chances_by_rows(differences: NDArray) -> NDArray:
    """Probability (k,) that the first method has the lower risk, of k pairs, from the rows on which they differ.

    differences (k, n): losses of the first less those of the second. Of zero-one losses the rows are those on which one
    method errs alone, of others those on which its loss is the higher (pb-sign, D6).
    p = I_1/2(1 + k_A, 1 + k_B), of a Beta(1, 1) prior; 1/2 without a difference.
    """
    return betainc(1 + (differences > 0).sum(axis=1), 1 + (differences < 0).sum(axis=1), 0.5)


def chances_by_weights(differences: NDArray, rng: Generator) -> NDArray:
    """Probability (k,) that the first method has the lower risk, of k pairs, from weights of the rows drawn for all.

    differences (k, n): losses of the first less those of the second.
    Of 10,000 Bayesian bootstraps of the rows, a mean difference of 0 counted half: for zero-one losses the model of
    `chances_by_rows` without its prior counts (D6).
    """
    k, n = differences.shape
    size, below = max(1, HELD // max(k, n)), np.zeros(k)
    for count in (min(size, SAMPLES - done) for done in range(0, SAMPLES, size)):
        means = rng.standard_exponential((count, n)) @ differences.T  # of weights ~ Dirichlet(1, ..., 1), unnormalized
        below += (means < 0).sum(axis=0) + 0.5 * (means == 0).sum(axis=0)
    return below / SAMPLES


def wins(chances: NDArray) -> NDArray:
    """Probabilities (L + 1,) of each number of data sets won, given the chance (L,) on each of them.

    P_l(k) = (1 - p_l) P_l-1(k) + p_l P_l-1(k - 1)
    """
    distribution = np.ones(1)
    for chance in chances:
        distribution = np.convolve(distribution, [1 - chance, chance])
    return distribution


def better_on_most(chances: NDArray) -> float:
    """Probability that more than half of the data sets are won, exactly half of them counted half (D5)."""
    distribution, count = wins(chances), len(chances)
    above = distribution[count // 2 + 1 :].sum()
    return float(above + (distribution[count // 2] / 2 if count % 2 == 0 else 0.0))


def better_on_most_tasks(chances: NDArray) -> float:
    """Probability that more than half of all such data sets would be won, a Beta(1, 1) prior of their share (pb-beta).

    sum_k P(k) (1 - I_1/2(1 + k, 1 + L - k))
    """
    won = np.arange(len(chances) + 1)
    return float(wins(chances) @ (1 - betainc(1 + won, 1 + len(chances) - won, 0.5)))
