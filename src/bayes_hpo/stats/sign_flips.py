"""Exact distribution of a sum of terms with random signs, the null distribution if two methods are equal."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


def tail(terms: NDArray, total: float) -> float:
    """Probability that the absolute value of the sum of `terms` with random signs is at least |total|.

    terms (n,): multiples of one half. With ranks as terms, this is Wilcoxon's exact test; with signs, the sign test.
    Source: Fisher, The Design of Experiments (1935), section 21.
    """
    below = _cdf(_doubled(terms[:, None])[0])
    room = np.abs(terms).sum() - abs(total)  # |sum| >= |total| iff the terms of one sign add up to at most room / 2
    return float(min(1.0, 2 * below[int(room)])) if room >= 0 else 0.0


def critical(terms: NDArray, level: float) -> NDArray:
    """Critical value, between two possible sums, that |sum| exceeds with probability at most 1 - level.

    terms (n, ...): terms of one sum, or of several -> (...).
    """
    limits = [_critical(doubled, level) for doubled in _doubled(terms.reshape(len(terms), -1))]
    return np.reshape(limits, terms.shape[1:])


@lru_cache(maxsize=100_000)
def _critical(doubled, level):
    likely = 2 * _cdf(doubled) > 1 - level  # for room 0, 1, ..., as in `tail`
    return np.frombuffer(doubled, int).sum() / 2 - int(np.argmax(likely)) + 0.25


def _doubled(terms):
    """Sorted absolute terms (n, k) of each sum, doubled to integers: list of k bytes, which serve as cache keys."""
    return [sizes.tobytes() for sizes in np.sort((2 * np.abs(terms)).astype(int).T, axis=1)]


@lru_cache(maxsize=10_000)
def _cdf(doubled):
    """Probability that the terms with one sign add up to at most s / 2 in absolute value, for every s.

    Each term gets this sign with probability 1/2; s = 0, 1, ..., the sum of `doubled` (bytes of int).
    """
    sizes = np.frombuffer(doubled, int)
    probability, top = np.zeros(sizes.sum() + 1), 1
    probability[0] = 1
    # convolution with each coin: p(s) <- (p(s) + p(s - size)) / 2
    for size in sizes[sizes > 0].tolist():
        probability[:top] /= 2
        probability[size : size + top] += probability[:top].copy()
        top += size
    return probability.cumsum()
