"""Adjusted levels against SciPy's, and their laws."""

import numpy as np
import pytest
from scipy import stats

from bayes_hpo.stats.multiplicity import benjamini_yekutieli


@pytest.mark.parametrize("count", [1, 2, 7, 60])
def test_adjusted_levels_are_those_of_scipy(count):
    p = np.random.default_rng(count).random(count) ** 3
    np.testing.assert_allclose(benjamini_yekutieli(p), stats.false_discovery_control(p, method="by"))


def test_the_order_of_the_tests_does_not_matter():
    p = np.random.default_rng(0).random(9)
    np.testing.assert_allclose(benjamini_yekutieli(p[::-1]), benjamini_yekutieli(p)[::-1])


def test_one_test_is_left_as_it_is():
    assert benjamini_yekutieli([0.03]) == [0.03]
