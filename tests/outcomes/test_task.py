"""Laws of tasks, losses and kinds of predictions."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.options import options
from bayes_hpo.outcomes.losses import absolute_error, squared_error, zero_one
from bayes_hpo.outcomes.predictions import Labels, Probabilities, Values

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 50)


@pytest.fixture(scope="module")
def tasks():
    nodes = configure("plan", ["study=overfitting", "scale=toy"], groups=("task",))["tasks"]
    return {name: build(node, f"task {name}") for name, node in nodes.items()}


@pytest.mark.parametrize("loss", [zero_one, squared_error, absolute_error])
def test_a_loss_is_a_number_per_row_and_zero_for_the_truth_alone(loss):
    assert loss(Y, Y).tolist() == [0.0] * len(Y)
    assert loss(Y + 2, Y).shape == Y.shape
    assert (loss(Y + 2, Y) > 0).all()


def test_losses_are_those_of_their_names():
    predictions, truth = np.array([0.0, 2.0, 5.0]), np.array([0.0, 1.0, 7.0])
    assert zero_one(predictions, truth).tolist() == [0, 1, 1]
    assert squared_error(predictions, truth).tolist() == [0, 1, 4]
    assert absolute_error(predictions, truth).tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", options("task"))
def test_the_worst_loss_bounds_every_loss(tasks, name):
    task = tasks[name]
    assert task.loss(np.array([-1e9, 1e9, 0.0]), np.zeros(3)).max() <= task.worst_loss
    assert task.kind == name


def test_splits_of_classes_are_stratified_and_those_of_values_are_not(tasks):
    np.testing.assert_array_equal(tasks["classification"].strata(Y), Y)
    assert set(tasks["regression"].strata(RNG.random(50))) == {0}


def test_the_most_probable_class_is_decided_and_counted(tasks):
    given = np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]])
    model = SimpleNamespace(predict_proba=lambda X: given)
    kind = Probabilities(dtype="float16")
    found = kind.of(model, None)
    assert found.dtype == np.float16
    assert kind.decided(found).tolist() == [1, 0]
    assert zero_one(kind.decided(found), np.array([1, 1])).tolist() == [0, 1]


@pytest.mark.parametrize(("classes", "dtype"), [(2, "uint8"), (256, "uint8"), (257, "uint16")])
def test_labels_are_stored_in_the_smallest_type(classes, dtype):
    y = np.arange(classes)
    stored = Labels().stored(y, y)
    assert stored.dtype == dtype
    np.testing.assert_array_equal(stored, y)


def test_values_are_rounded_to_their_type_before_any_loss_is_computed(tasks):
    model = SimpleNamespace(predict=lambda X: np.array([1 / 3]))
    assert Values("float32").of(model, None).dtype == np.float32
    assert Values().of(model, None)[0] == 1 / 3
    y = RNG.random(5)
    assert tasks["regression"].stored_truth(y, y) is y
