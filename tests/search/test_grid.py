"""Laws of grid search."""

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.pool import History, Trial
from bayes_hpo.search.grid import GridSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

BOUNDS = {"low": 1e-5, "high": 1e5, "log": True}
SPACE = Space({"C": BOUNDS, "tau": BOUNDS})


def _points(budget, repetition=0, space=SPACE):
    search, trials = GridSearch(space, budget), []
    while len(trials) < budget:
        proposal = search.propose(History(trials), Seeds("study", "toy", repetition))
        trials.append(Trial(proposal, np.array([0.5])))
    return space.encode([trial.proposal.configuration for trial in trials]).round(9)


def test_a_budget_of_a_hundred_is_the_ten_by_ten_grid_of_the_print():
    points = _points(100)
    sides = [np.unique(coordinate) for coordinate in points.T]
    for side in sides:
        np.testing.assert_allclose(side, np.arange(10) / 9, atol=1e-8)
    assert len(np.unique(points, axis=0)) == 100
    exponents = np.log10([GridSearch(SPACE, 100).space.decode([u, 0])["C"] for u in sides[0]])
    np.testing.assert_allclose(exponents, np.linspace(-5, 5, 10), atol=1e-7)


def test_the_order_is_drawn_anew_in_every_repetition():
    runs = [_points(9, repetition) for repetition in range(3)]
    for run in runs[1:]:
        assert not np.array_equal(run, runs[0])
        np.testing.assert_array_equal(np.unique(run, axis=0), np.unique(runs[0], axis=0))


@pytest.mark.parametrize(("d", "budget"), [(1, 7), (2, 4), (3, 27), (3, 125)])
def test_any_dimension_is_filled(d, budget):
    space = Space({f"x{i}": BOUNDS for i in range(d)})
    assert len(np.unique(_points(budget, space=space), axis=0)) == budget


@pytest.mark.parametrize("budget", [1, 2, 10, 99])
def test_a_budget_that_is_no_full_grid_names_those_that_are(budget):
    with pytest.raises(UserError, match=f"budget={budget} is no full grid in 2 dimensions; take one of 4, 9, 16"):
        GridSearch(SPACE, budget).propose(History(), Seeds("study", "toy", 0))
