"""A sum of terms whose signs are all equally likely, as where two methods do not differ: its exact distribution."""

from functools import lru_cache

import numpy as np


def tail(terms, total):
    """Chance that a sum of `terms` with random signs is, in size, at least |total|.

    terms (n,): multiples of one half. Source: Fisher, The Design of Experiments (1935), section 21; with ranks for
    terms it is Wilcoxon's exact test, with signs the sign test.
    """
    below = _cdf(*_doubled(terms))
    room = np.abs(terms).sum() - abs(total)  # |sum| >= |total| leaves at most so much, twice, to the other sign
    return float(min(1.0, 2 * below[int(room)])) if room >= 0 else 0.0


def critical(terms, level):
    """What |sum| must exceed for its chance to be at most 1 - level; lies between two sums that can occur."""
    doubled = _doubled(terms)
    likely = 2 * _cdf(*doubled) > 1 - level  # of room 0, 1, ..., as in `tail`
    return sum(doubled) / 2 - int(np.argmax(likely)) + 0.25


def _doubled(terms):
    """Sizes of the terms that are not zero, twice, in ascending order (tuple of int)."""
    sizes = (2 * np.abs(terms)).astype(int)
    return tuple(np.sort(sizes[sizes > 0]).tolist())


@lru_cache(maxsize=10_000)
def _cdf(*doubled):
    """Chance that the terms of one sign, each there by the toss of a coin, sum to at most s / 2 in size.

    For s = 0, 1, ..., the sum of `doubled` (int): convolution of the coins.
    """
    probability, top = np.zeros(sum(doubled) + 1), 1
    probability[0] = 1
    for size in doubled:
        probability[:top] /= 2
        probability[size : size + top] += probability[:top].copy()
        top += size
    return probability.cumsum()
