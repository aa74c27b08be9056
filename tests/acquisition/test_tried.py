"""Laws of what was tried: which points of the cube are one."""

import numpy as np
import pytest

from bayes_hpo.acquisition.tried import Tried
from bayes_hpo.spaces.space import Space

SPACE = Space({"x": {"low": 0.0, "high": 1.0}, "y": {"low": 0.0, "high": 1.0}})


@pytest.mark.parametrize("zero", [0.0, -0.0, 1e-12, -1e-12])
@pytest.mark.parametrize("other", [0.0, -0.0, 1e-12, -1e-12])
def test_points_that_differ_by_rounding_are_one_also_on_either_side_of_zero(zero, other):
    tried = Tried(SPACE, np.array([[zero, 0.5]]), best=None)
    assert tried.holds(np.array([[other, 0.5], [other, 0.5 - 1e-12], [1e-6, 0.5]])).tolist() == [True, True, False]
