"""Laws of the diversity of models."""

import numpy as np
import pytest
from probable_pools import random_probabilities

from bayes_hpo.ensembles.diversity import DiversityMatrix, diversities, minimum_diversity, pairwise_disagreement
from bayes_hpo.ensembles.probabilities import StoredProbabilities


def _values(seed=0, n_classes=3, **given):
    return StoredProbabilities.of(random_probabilities(seed, n_classes=n_classes, **given).history)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_it_is_the_mean_distance_of_probability_vectors(n_classes):
    values = _values(n_classes=n_classes).values.astype(float)
    for model in values:
        distances = [[np.linalg.norm(model[s] - other[s]) for s in range(len(model))] for other in values]
        expected = np.sqrt(2) / 2 * np.mean(distances, axis=1)
        np.testing.assert_allclose(diversities(model, values), expected, rtol=1e-12, atol=1e-15)


def test_of_two_classes_it_is_the_mean_difference_of_their_probability():
    values = _values(n_classes=2).values.astype(float)
    np.testing.assert_allclose(diversities(values[0], values), np.abs(values[0] - values)[:, :, 1].mean(axis=1))


@pytest.mark.parametrize("n_classes", [2, 5])
def test_opposite_certainties_have_diversity_one_and_no_diversity_is_higher(n_classes):
    rng = np.random.default_rng(0)
    labels = rng.integers(n_classes, size=50)
    certain, opposite = np.eye(n_classes)[labels], np.eye(n_classes)[(labels + 1) % n_classes]
    np.testing.assert_array_equal(diversities(certain, np.array([opposite, certain])), [1, 0])
    many = rng.dirichlet(np.full(n_classes, 0.05), (40, 50)).astype(np.float32)
    assert max(diversities(model, many).max() for model in many) <= 1


def test_the_matrix_is_symmetric_and_zero_on_the_diagonal():
    matrix = DiversityMatrix()(_values())
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_array_equal(np.diag(matrix), 0)
    assert matrix[np.triu_indices(8, 1)].min() > 0
    assert matrix.max() <= 1


def test_a_growing_history_has_the_matrix_that_it_has_at_once():
    growing, other = DiversityMatrix(), random_probabilities(9).history
    history = random_probabilities(0, failed={4}).history
    for trials in (history[:3], history[:4], history, history[:2], other, history[:5]):
        stored = StoredProbabilities.of(trials)
        np.testing.assert_array_equal(growing(stored), DiversityMatrix()(stored))


def test_the_minimum_is_that_to_the_nearest_member():
    values = _values().values
    assert minimum_diversity(values[0], values[[3, 0]]) == 0
    expected = min(diversities(values[0], values[[t]])[0] for t in (2, 5))
    assert minimum_diversity(values[0], values[[2, 5]]) == expected


def test_disagreement_is_the_share_of_rows_with_different_labels():
    labels = np.array([[0, 1, 2, 0], [0, 1, 1, 1], [0, 1, 2, 0]])
    np.testing.assert_array_equal(pairwise_disagreement(labels), [[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]])
