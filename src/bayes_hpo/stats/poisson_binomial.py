"""The Poisson binomial test: is one method better than another on most data sets? (Lacoste et al. 2012; 2014, 6.2.)

Shapes: L data sets.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import betainc

SAMPLES = 10_000  # Bayesian bootstraps of the rows of a test part
HELD = 2**22  # weights, or means, held in memory at once: 32 MiB


def chances_by_rows(differences: NDArray) -> NDArray:
    """Probability (k,) that the first method of each of k pairs has the lower risk, from the rows on which they differ.

    p = I_1/2(1 + k_A, 1 + k_B), under a Beta(1, 1) prior, where k_A (k_B) rows have the higher loss under the first
    (second) method: for zero-one losses, the rows on which it alone errs; other losses are the variant pb-sign (D6). It
    is 1/2 without any difference.
    differences (k, n): losses of the first method minus those of the second.
    """
    return betainc(1 + (differences > 0).sum(axis=1), 1 + (differences < 0).sum(axis=1), 0.5)


def chances_by_weights(differences: NDArray, rng: Generator) -> NDArray:
    """Probability (k,) that the first method of each of k pairs has the lower risk, by Bayesian bootstraps of the rows.

    It is the fraction of 10,000 bootstraps, shared by all pairs, in which the mean difference is negative; a mean of 0
    counts half. For zero-one losses, this is the model of `chances_by_rows` without its prior counts (D6).
    differences (k, n): losses of the first method minus those of the second.
    """
    k, n = differences.shape
    size, below = max(1, HELD // max(k, n)), np.zeros(k)
    for count in (min(size, SAMPLES - done) for done in range(0, SAMPLES, size)):
        means = rng.standard_exponential((count, n)) @ differences.T  # weights ~ Dirichlet(1, ..., 1), unnormalized
        below += (means < 0).sum(axis=0) + 0.5 * (means == 0).sum(axis=0)
    return below / SAMPLES


def wins(chances: NDArray) -> NDArray:
    """Distribution (L + 1,) of the number of data sets won, given the probability (L,) of winning each of them.

    P_l(k) = (1 - p_l) P_l-1(k) + p_l P_l-1(k - 1)
    """
    distribution = np.ones(1)
    for chance in chances:
        distribution = np.convolve(distribution, [1 - chance, chance])
    return distribution


def better_on_most(chances: NDArray) -> float:
    """Probability that more than half of the data sets are won; exactly half counts half (D5)."""
    distribution, count = wins(chances), len(chances)
    above = distribution[count // 2 + 1 :].sum()
    return float(above + (distribution[count // 2] / 2 if count % 2 == 0 else 0.0))


def better_on_most_tasks(chances: NDArray) -> float:
    """Probability of winning on most of a population of such data sets, with a Beta(1, 1) prior on the share (pb-beta).

    sum_k P(k) (1 - I_1/2(1 + k, 1 + L - k))
    """
    won = np.arange(len(chances) + 1)
    return float(wins(chances) @ (1 - betainc(1 + won, 1 + len(chances) - won, 0.5)))
