"""A sum of terms whose signs are all equally likely, as where two methods do not differ: its exact distribution."""

import numpy as np


def tail(terms, total):
    """Chance that a sum of `terms` with random signs is, in size, at least |total|.

    terms (n,): multiples of one half. Source: Fisher, The Design of Experiments (1935), section 21; with ranks for
    terms it is Wilcoxon's exact test, with signs the sign test.
    """
    below = _cdf(terms)
    room = np.abs(terms).sum() - abs(total)  # |sum| >= |total| leaves at most so much, twice, to the other sign
    return float(min(1.0, 2 * below[int(room)])) if room >= 0 else 0.0


def critical(terms, level):
    """What |sum| must exceed for its chance to be at most 1 - level; lies between two sums that can occur."""
    likely = 2 * _cdf(terms) > 1 - level  # of room 0, 1, ..., as in `tail`
    return np.abs(terms).sum() - int(np.argmax(likely)) + 0.25


def _cdf(terms):
    """Chance that the terms of one sign, each there by the toss of a coin, sum to at most s / 2 in size.

    For s = 0, 1, ..., 2 * sum of |terms|: convolution of the coins.
    """
    probability = np.ones(1)
    for doubled in (2 * np.abs(terms)).astype(int):
        probability = (np.pad(probability, (0, doubled)) + np.pad(probability, (doubled, 0))) / 2
    return probability.cumsum()
