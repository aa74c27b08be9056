"""Traits of searches of a width: distances in decades from what is printed, and a length in decades."""

from types import SimpleNamespace

import numpy as np
import pytest
from measured import frame

from bayes_hpo.errors import UserError
from bayes_hpo.measures.model_line import LINE
from bayes_hpo.measures.run_statistics import WidthStatistics
from bayes_hpo.measures.searches import searches
from bayes_hpo.spaces.space import Space
from tests.configured import configured

NAME = "width_traits"
SPACE = Space({"tau": {"low": 1e-5, "high": 1e5, "log": True}})  # ten decades


@pytest.fixture
def statistics():
    """Function: the statistics of a search from points, targets, the lowest mean and lengths, all in the cube."""

    def of(points, targets, lowest, lengths, *, zone, choice):
        posterior = SimpleNamespace(
            moments=lambda line: (np.array([(line[:, 0] - lowest) ** 2] * 2), None),
            states=np.array([[0.0, 1.0, 1e-3, length] for length in lengths]),
        )
        predicted = np.array(points)[:, None], np.array(targets), posterior
        searcher = SimpleNamespace(space=SPACE, fitted=lambda history, seeds: predicted)
        search = SimpleNamespace(searcher=searcher, pool=SimpleNamespace(history=None), seeds=None)
        return WidthStatistics(methods=["gp"], zone=zone, choice=choice).statistics(search)

    return of


@pytest.mark.parametrize(
    ("zone", "farther"),
    [(1e-2, 4.0), (1e1, 3.0), (1e2, 4.0)],  # the middle of the trials at 10^-2, the lowest mean at 10^2
    ids=["mean", "both sides", "middle"],
)
def test_the_zone_is_as_far_as_the_farther_of_samples_and_minimum(statistics, zone, farther):
    lowest = LINE[280]  # .7
    found = statistics([0.1, 0.3, 0.9], [3, 1, 2], lowest, [1.0], zone=zone, choice=1.0)
    assert found["zone_distance"] == pytest.approx(farther)


@pytest.mark.parametrize("choice", [1e-4, 1e0])
def test_the_choice_is_the_first_of_the_lowest_losses_and_its_distance_has_no_sign(statistics, choice):
    found = statistics([0.1, 0.3, 0.9], [3, 1, 1], 0.5, [1.0], zone=1.0, choice=choice)
    assert found["choice_distance"] == pytest.approx(2)


def test_the_length_is_the_geometric_mean_over_samples_in_decades(statistics):
    assert statistics([0.5], [1], 0.5, [0.2, 0.8], zone=1.0, choice=1.0)["length"] == pytest.approx(4)


def test_the_choice_is_the_incumbents_of_every_search(searched):
    grid = searched("svm_width")
    rows = frame(grid, NAME, choice=0.06943)
    assert list(rows) == ["dataset", "repetition", "validation", "method", "quantity", "value"]
    found = rows[rows["quantity"] == "choice_distance"].set_index(["method", "repetition"])["value"]
    for search in searches(grid, ["gp", "gp_times_1"]):
        history = search.pool.history
        chosen = history.configurations[history.losses.argmin()]["tau"]
        distance = found[search.key["method"], search.key["repetition"]]
        assert distance == pytest.approx(abs(np.log10(chosen) - np.log10(0.06943)))


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_a_print_without_a_logarithm_is_one_sentence(value):
    for setting in ("zone", "choice"):
        with pytest.raises(UserError, match=rf"measure\.{setting}=.* must be at least 1e-09 and"):
            configured(WidthStatistics, "measure", **{"methods": ["gp"], "zone": 1.0, "choice": 1.0} | {setting: value})


@pytest.mark.parametrize(
    ("more", "said"),
    [({"C": {"low": 1.0, "high": 2.0}}, "tau, C are searched"), ({}, "log: true")],
    ids=["two hyperparameters", "a linear scale"],
)
def test_another_space_is_one_sentence(more, said):
    space = Space({"tau": {"low": 0.0, "high": 1.0, "log": False}} | more)
    search = SimpleNamespace(searcher=SimpleNamespace(space=space), pool=SimpleNamespace(history=None))
    with pytest.raises(UserError, match=said):
        WidthStatistics(methods=["gp"], zone=1.0, choice=1.0).statistics(search)
