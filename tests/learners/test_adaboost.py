"""Laws of AdaBoost by class probabilities, SAMME.R: algorithm 4 of Zhu, Zou, Rosset and Hastie (2009)."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.learners.adaboost import Samme, SammeR, log_probabilities, reweighted

FLOOR = np.finfo(float).eps


@pytest.fixture
def rows():
    """X (120, 3), y (120,) of three classes that no stump parts."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 4, 6], 40)
    return rng.normal(size=(120, 3)) + rng.normal(size=(7, 3))[y], y


def _fit(X, y, stumps, seed=0, floor=FLOOR):
    return SammeR(floor).fit({"n_estimators": stumps}, X, y, np.random.default_rng(seed))


def _by_the_book(X, y, stumps, floor):
    """Scores (n, k), row by row and class by class, as algorithm 4 is printed; its weights too."""
    classes, n = list(np.unique(y)), len(y)
    k, weights = len(classes), [1 / n] * n
    scores = np.zeros((n, k))
    for _ in range(stumps):
        tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, sample_weight=weights)
        p = np.maximum(tree.predict_proba(X), floor)
        for i in range(n):
            mean = sum(np.log(p[i, c]) for c in range(k)) / k
            for c in range(k):
                scores[i, c] += (k - 1) * (np.log(p[i, c]) - mean)
            coding = [1 if classes[c] == y[i] else -1 / (k - 1) for c in range(k)]
            weights[i] *= np.exp(-(k - 1) / k * sum(coding[c] * np.log(p[i, c]) for c in range(k)))
        weights = [weight / sum(weights) for weight in weights]
    return scores, weights


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("stumps", [1, 2, 5])
@pytest.mark.parametrize("floor", [FLOOR, 0.4])  # as the library had it, and one that stumps meet here
def test_it_is_the_printed_algorithm(rows, classes, stumps, floor):
    X, y = (part[: 40 * classes] for part in rows)
    model = _fit(X, y, stumps, floor=floor)
    assert len(model.stumps) == stumps
    expected, _ = _by_the_book(X, y, stumps, floor)
    np.testing.assert_allclose(model.scores(X), expected, rtol=1e-6)
    np.testing.assert_array_equal(model.predict(X), np.unique(y)[expected.argmax(axis=1)])


def test_the_weights_are_those_of_the_printed_algorithm_and_their_sum_is_one(rows):
    X, y = rows
    labels, weights = np.unique(y, return_inverse=True)[1], np.full(len(y), 1 / len(y))
    for stump in _fit(X, y, 5).stumps:
        weights = reweighted(weights, log_probabilities(stump, X, FLOOR), labels)
        assert weights.sum() == pytest.approx(1)
        assert (weights > 0).all()
    np.testing.assert_allclose(weights, _by_the_book(X, y, 5, FLOOR)[1], rtol=1e-6)


def test_of_two_classes_a_score_is_half_the_log_odds_and_a_weight_its_exponential(rows):
    X, y = rows[0], (rows[1] > 1).astype(int)  # Real AdaBoost (Friedman, Hastie, Tibshirani 2000, algorithm 2)
    (stump,), scores = _fit(X, y, 1).stumps, _fit(X, y, 1).scores(X)
    p = np.clip(stump.predict_proba(X)[:, 1], FLOOR, 1 - FLOOR)
    half = np.log(p / (1 - p)) / 2
    np.testing.assert_allclose(scores, np.column_stack([-half, half]), rtol=1e-9)
    weights = reweighted(np.full(120, 1 / 120), log_probabilities(stump, X, FLOOR), y)
    expected = np.exp(-(2 * y - 1) * half)
    np.testing.assert_allclose(weights, expected / expected.sum(), rtol=1e-9)


def test_one_stump_predicts_its_most_probable_class(rows):
    X, y = rows
    model = _fit(X, y, 1)
    most = model.stumps[0].predict_proba(X).argmax(axis=1)
    np.testing.assert_array_equal(model.predict(X), np.array([1, 4, 6])[most])


def test_a_stump_without_an_error_is_the_last():
    X, y = np.arange(10.0)[:, None], np.repeat([3, 8], 5)
    model = _fit(X, y, 30)
    assert len(model.stumps) == 1
    np.testing.assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.scores(X)).all()


def test_more_stumps_fit_the_training_rows_better_than_one(rows):
    X, y = rows
    errors = [(_fit(X, y, stumps).predict(X) != y).mean() for stumps in (1, 30)]
    assert errors[1] < errors[0] - 0.05


def test_only_the_generator_orders_features_of_equal_splits():
    X, y = np.tile(np.arange(12.0)[:, None], 6), np.arange(12) % 3  # six features that are one
    used = {tuple(stump.tree_.feature[0] for stump in _fit(X, y, 9, seed).stumps) for seed in (0, 0, 1)}
    assert len(used) == 2
    assert all(len(set(features)) > 1 for features in used)  # each stump draws its own


def test_the_variant_is_the_librarys_boosting_by_labels(rows):
    X, y = rows
    model = Samme().fit({"n_estimators": 7}, X, y, np.random.default_rng(0))
    assert type(model.estimator) is AdaBoostClassifier
    own = {"n_estimators": 7, "random_state": model.estimator.random_state}
    assert model.estimator.get_params() == AdaBoostClassifier().get_params() | own
