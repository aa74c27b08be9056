"""Laws of the evaluated points: where trials were proposed, and which points of the cube are one."""

import numpy as np
import pytest

from bayes_hpo.acquisition.evaluated import POINT, Evaluated, proposed_points
from bayes_hpo.pool import History, Proposal, Trial
from bayes_hpo.spaces.space import Space

SPACE = Space({"x": {"low": 0.0, "high": 1.0}, "y": {"low": 0.0, "high": 1.0}})


@pytest.mark.parametrize("zero", [0.0, -0.0, 1e-12, -1e-12])
@pytest.mark.parametrize("other", [0.0, -0.0, 1e-12, -1e-12])
def test_points_that_differ_by_rounding_are_one_also_on_either_side_of_zero(zero, other):
    tried = Evaluated(SPACE, np.array([[zero, 0.5]]), best=None)
    assert tried.contains(np.array([[other, 0.5], [other, 0.5 - 1e-12], [1e-6, 0.5]])).tolist() == [True, True, False]


MIXED = Space({"x": {"low": 0, "high": 1}, "k": {"low": 1, "high": 4, "integer": True}})


def _history(points, memories):
    return History(
        Trial(Proposal(MIXED.decode(u), t, memory), losses=np.zeros(1))
        for t, (u, memory) in enumerate(zip(points, memories, strict=True))
    )


def test_a_trial_was_made_at_the_point_that_it_remembers_not_in_the_middle_of_its_integers_cell():
    points = np.array([[0.2, 0.01], [0.7, 0.99]])
    np.testing.assert_array_equal(proposed_points(_history(points, [{POINT: u} for u in points]), MIXED), points)


def test_trials_that_remember_no_point_are_encoded():
    points = np.array([[0.2, 0.01], [0.7, 0.99]])
    for memories in ([{}, {}], [{POINT: points[0]}, {}]):
        encoded = proposed_points(_history(points, memories), MIXED)
        np.testing.assert_allclose(encoded, [[0.2, 0.125], [0.7, 0.875]], rtol=1e-14)


def test_no_trials_have_no_points():
    assert proposed_points(History(), MIXED).shape == (0, 2)
