"""Problems of two classes: the most balanced groups, the two most frequent classes, joined parts, real data sets."""

import numpy as np
import pytest

from bayes_hpo.data.binary import binary, bipartition, most_frequent
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import find, suite


def data(counts, given_test=()):
    y = np.repeat(np.arange(len(counts)), counts)
    labels = [str(label) for label in range(len(counts))]
    return Data(np.arange(len(y))[:, None] * 1.0, y, np.array(given_test, dtype=int), False, {"labels": labels})


@pytest.mark.parametrize(
    ("counts", "groups"),
    [
        ([50, 50, 50], [0, 1, 1]),
        ([3, 4, 7], [0, 0, 1]),
        ([1, 1, 1, 1], [0, 0, 1, 1]),  # the first in the order of the labels
        ([10, 1, 1, 1], [0, 1, 1, 1]),
        ([5, 9], [0, 1]),
    ],
)
def test_groups_are_the_most_balanced_ones(counts, groups):
    np.testing.assert_array_equal(bipartition(np.array(counts)), groups)


def test_no_other_groups_of_six_classes_are_more_balanced():
    counts = np.random.default_rng(0).integers(1, 100, 6)
    found = abs(counts.sum() - 2 * counts[bipartition(counts) == 0].sum())
    sums = [counts[[bool(code >> place & 1) for place in range(6)]].sum() for code in range(1, 63)]
    assert found == min(abs(counts.sum() - 2 * part) for part in sums)


def test_of_more_than_seven_classes_the_two_most_frequent_are_kept():
    counts = np.array([3, 9, 1, 4, 9, 2, 2, 8])
    np.testing.assert_array_equal(most_frequent(counts), [-1, 0, -1, -1, 1, -1, -1, -1])
    made = binary(data(counts))
    assert len(made.y) == 18
    assert made.header["labels"] == ["1", "4"]
    np.testing.assert_array_equal(made.X[:, 0], [*range(3, 12), *range(17, 26)])


def test_two_parts_are_joined_and_two_classes_stay_as_they_are():
    made = binary(data([5, 9], given_test=[1, 2]))
    assert len(made.given_test) == 0
    np.testing.assert_array_equal(made.y, data([5, 9]).y)


def test_the_suites_have_as_many_data_sets_as_the_documents():
    classes = [find(name) for name in suite("aysu39")]
    assert len(classes) == 39
    assert {row.classes for row in classes} == {2}
    assert not any(row.n_test for row in classes)
    assert len(suite("torgo22")) == 22
    assert {find(name).task for name in suite("torgo22")} == {"regression"}
