"""Laws of the Hodges-Lehmann estimate and its interval, and a textbook's example of both."""

import math

import numpy as np
import pytest

from bayes_hpo.stats.hodges_lehmann import hodges_lehmann, interval
from bayes_hpo.stats.wilcoxon import exact_p_value, null_cdf

# Hollander and Wolfe, Nonparametric Statistical Methods, table 3.1: depression before and after a tranquilizer.
BEFORE = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
AFTER = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])


@pytest.fixture
def sample():
    """Twelve skewed differences."""
    return np.random.default_rng(0).exponential(size=12)


def test_the_textbooks_estimate_and_interval_come_out():
    assert hodges_lehmann(AFTER - BEFORE) == pytest.approx(-0.46, abs=0.0005)  # its example 3.3
    assert interval(AFTER - BEFORE, 0.96) == pytest.approx((-0.786, -0.010), abs=0.0005)  # its example 3.4


def test_the_estimate_is_the_median_of_the_means_of_all_pairs():
    assert hodges_lehmann([0.0, 1.0, 5.0]) == (1.0 + 2.5) / 2  # of 0, .5, 1, 2.5, 3, 5
    assert hodges_lehmann([2.0]) == 2.0


def test_shift_and_scale_of_the_sample_are_those_of_the_estimate(sample):
    for c in (2.5, -3.0):
        assert hodges_lehmann(c * sample + 7) == pytest.approx(c * hodges_lehmann(sample) + 7)
        assert interval(c * sample + 7, 0.9) == pytest.approx(tuple(sorted(c * b + 7 for b in interval(sample, 0.9))))


def test_a_symmetric_sample_has_its_centre():
    half = np.random.default_rng(1).normal(size=9)
    assert hodges_lehmann(np.concatenate([3 + half, 3 - half])) == pytest.approx(3)


def test_one_wild_data_set_moves_the_estimate_little(sample):
    wild = np.append(sample, 1e6)
    assert sample.min() < hodges_lehmann(sample) <= hodges_lehmann(wild) < sample.max()


def test_many_samples_give_the_estimate_of_each():
    samples = np.random.default_rng(2).normal(size=(3, 4, 11))
    found = hodges_lehmann(samples)
    assert found.shape == (3, 4)
    assert found[1, 2] == hodges_lehmann(samples[1, 2])


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_the_interval_holds_the_shifts_that_the_exact_test_does_not_reject(sample, level):
    low, high = interval(sample, level)
    for shift in np.linspace(sample.min() - 0.1, sample.max() + 0.1, 400):
        assert (low < shift < high) == (exact_p_value(sample - shift) > 1 - level)


def test_the_estimate_lies_in_every_interval_and_intervals_are_nested(sample):
    previous = hodges_lehmann(sample), hodges_lehmann(sample)
    for level in (0.5, 0.8, 0.9, 0.95, 0.99):
        low, high = interval(sample, level)
        assert low <= previous[0] <= previous[1] <= high
        previous = low, high


def test_too_few_data_sets_bound_nothing():
    assert interval([1.0, 2.0, 3.0, 4.0, 5.0], 0.95) == (-math.inf, math.inf)  # 2 / 2**5 > .05
    assert interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 0.95) == (1.0, 6.0)  # 2 / 2**6 < .05


@pytest.mark.parametrize(("n", "level"), [(8, 0.9), (24, 0.95)])
def test_the_interval_covers_the_true_shift_as_often_as_it_says(n, level):
    draws = np.random.default_rng(n).normal(0.3, 2, (1500, n))
    covered = np.mean([low < 0.3 < high for low, high in (interval(draw, level) for draw in draws)])
    cdf = null_cdf(np.arange(1, n + 1))[::2]
    attained = 1 - 2 * cdf[cdf <= (1 - level) / 2].max()  # rank sums are whole, so that not every level can be had
    assert level <= attained < level + 0.05
    assert abs(covered - attained) < 3 * np.sqrt(attained * (1 - attained) / 1500)


def test_a_missing_difference_is_refused():
    with pytest.raises(ValueError, match="every method on every data set"):
        hodges_lehmann([0.1, np.nan])
