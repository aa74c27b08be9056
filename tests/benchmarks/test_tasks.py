"""The tasks: published minima, instances that are the same problem, landscapes that are real."""

import itertools

import numpy as np
import pytest

from benchmarks.tasks import FLOOR, TASKS, Function, ackley5, branin, hartmann6

MINIMISERS = [  # on the unit cube
    ("branin", branin, [(np.pi + 5) / 15, 2.275 / 15]),
    ("branin", branin, [(-np.pi + 5) / 15, 12.275 / 15]),
    ("branin", branin, [(3 * np.pi + 5) / 15, 2.475 / 15]),
    ("hartmann6", hartmann6, [0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573]),
    ("ackley5", ackley5, [1 / 3] * 5),
]
FUNCTIONS = [name for name, task in TASKS.items() if isinstance(task, Function)]


@pytest.mark.parametrize(("name", "function", "minimiser"), MINIMISERS)
def test_the_published_minimiser_has_the_published_minimum(name, function, minimiser):
    assert function(np.array(minimiser)) == pytest.approx(TASKS[name].least, abs=2e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_point_lies_below_the_minimum(name):
    points = np.random.default_rng(0).random((2000, TASKS[name].d))
    assert min(map(TASKS[name].instance(0), points)) >= TASKS[name].least


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_instance_only_reorders_and_turns_the_coordinates(name):
    task = TASKS[name]
    corners = np.array(list(itertools.product([0.1, 0.9], repeat=task.d)))

    def values(loss):
        return np.sort([loss(corner) for corner in corners])

    assert values(task.instance(3)) == pytest.approx(values(task.loss))
    assert any(task.instance(3)(corner) != pytest.approx(task.instance(4)(corner)) for corner in corners)


def test_the_error_of_the_svm_is_that_of_always_the_larger_class_when_c_is_tiny():
    assert TASKS["svm"].instance(0)(np.zeros(2)) == pytest.approx(212 / 569, abs=2e-3)


def test_the_run_of_a_landscape_picks_its_folds():
    point = np.array([0.7, 0.3])
    svm = TASKS["svm"]
    assert svm.instance(1)(point) == svm.instance(1)(point) != svm.instance(2)(point)


def test_regrets_of_functions_are_compared_by_their_logarithm_down_to_a_floor():
    assert TASKS["branin"].score(np.array([1.0, 0.1, 0.0])).tolist() == pytest.approx([0, -1, np.log10(FLOOR)])
    assert TASKS["svm"].score(np.array([0.01])) == pytest.approx(1)
