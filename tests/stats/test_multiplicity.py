"""Adjusted levels by hand, and their laws."""

import numpy as np

from bayes_hpo.stats.multiplicity import benjamini_yekutieli


def test_adjusted_levels_by_hand():
    """min over j >= i of p_(j) n (1 + 1/2 + ... + 1/n) / j."""
    harmonic = 1 + 1 / 2 + 1 / 3
    np.testing.assert_allclose(
        benjamini_yekutieli([0.03, 0.001, 0.02]), [0.03 * harmonic, 0.003 * harmonic, 0.03 * harmonic]
    )
    np.testing.assert_allclose(benjamini_yekutieli([0.9, 0.8]), [1, 1])


def test_one_test_is_left_as_it_is_and_none_is_none():
    assert benjamini_yekutieli([0.03]) == [0.03]
    assert len(benjamini_yekutieli([])) == 0
