"""Laws of the Hodges-Lehmann estimate, and a textbook's example."""

import numpy as np
import pytest

from bayes_hpo.stats.hodges_lehmann import hodges_lehmann

# Hollander and Wolfe, Nonparametric Statistical Methods, table 3.1: depression before and after a tranquilizer.
BEFORE = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
AFTER = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])


@pytest.fixture
def sample():
    """Twelve skewed differences."""
    return np.random.default_rng(0).exponential(size=12)


def test_the_textbooks_estimate_comes_out():
    assert hodges_lehmann(AFTER - BEFORE) == pytest.approx(-0.46, abs=0.0005)  # its example 3.3


def test_the_estimate_is_the_median_of_the_means_of_all_pairs():
    assert hodges_lehmann([0.0, 1.0, 5.0]) == (1.0 + 2.5) / 2  # of 0, .5, 1, 2.5, 3, 5
    assert hodges_lehmann([2.0]) == 2.0


def test_shift_and_scale_of_the_sample_are_those_of_the_estimate(sample):
    for c in (2.5, -3.0):
        assert hodges_lehmann(c * sample + 7) == pytest.approx(c * hodges_lehmann(sample) + 7)


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


def test_a_missing_difference_is_refused():
    with pytest.raises(ValueError, match="every method on every data set"):
        hodges_lehmann([0.1, np.nan])
