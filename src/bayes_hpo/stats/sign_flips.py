"""A sum of terms whose signs are all equally likely, as where two methods do not differ: its exact distribution."""

from functools import lru_cache

import numpy as np


def tail(terms, total):
    """Chance that a sum of `terms` with random signs is, in size, at least |total|.

    terms (n,): multiples of one half. Source: Fisher, The Design of Experiments (1935), section 21; with ranks for
    terms it is Wilcoxon's exact test, with signs the sign test.
    """
    below = _cdf(_doubled(terms[:, None])[0])
    room = np.abs(terms).sum() - abs(total)  # |sum| >= |total| leaves at most so much, twice, to the other sign
    return float(min(1.0, 2 * below[int(room)])) if room >= 0 else 0.0


def critical(terms, level):
    """What |sum| must exceed for its chance to be at most 1 - level; lies between two sums that can occur.

    terms (n, ...): of one sum, or of several -> (...).
    """
    found = [_critical(doubled, level) for doubled in _doubled(terms.reshape(len(terms), -1))]
    return np.reshape(found, terms.shape[1:])


@lru_cache(maxsize=100_000)
def _critical(doubled, level):
    likely = 2 * _cdf(doubled) > 1 - level  # of room 0, 1, ..., as in `tail`
    return np.frombuffer(doubled, int).sum() / 2 - int(np.argmax(likely)) + 0.25


def _doubled(terms):
    """Sizes of the terms (n, k) of each sum, twice, in ascending order: list of k bytes, to be looked up by."""
    return [sizes.tobytes() for sizes in np.sort((2 * np.abs(terms)).astype(int).T, axis=1)]


@lru_cache(maxsize=10_000)
def _cdf(doubled):
    """Chance that the terms of one sign, each there by the toss of a coin, sum to at most s / 2 in size.

    For s = 0, 1, ..., the sum of `doubled` (bytes of int): convolution of the coins.
    """
    sizes = np.frombuffer(doubled, int)
    probability, top = np.zeros(sizes.sum() + 1), 1
    probability[0] = 1
    for size in sizes[sizes > 0].tolist():
        probability[:top] /= 2
        probability[size : size + top] += probability[:top].copy()
        top += size
    return probability.cumsum()
