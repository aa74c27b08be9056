"""Preparation of features: fitted on training rows alone, checked against scikit-learn."""

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bayes_hpo.data.preparation import fit_preparation

NAN = np.nan


@pytest.fixture(name="X")
def features():
    X = np.random.default_rng(0).normal(3, 2, size=(30, 4))
    X[::4, 1] = NAN
    X[:, 2] = 0.1
    return X


def test_features_are_prepared_as_by_scikit_learn(X):
    train, new = X[:20], X[20:]
    witness = make_pipeline(SimpleImputer(strategy="median"), StandardScaler()).fit(train)
    transform = fit_preparation(True, train)
    for part in (train, new):
        np.testing.assert_allclose(transform(part), witness.transform(part), atol=1e-12)


def test_untouched_features_are_the_same_object(X):
    assert fit_preparation(False, X[:20])(X) is X


def test_a_constant_column_becomes_exactly_0(X):
    assert np.all(fit_preparation(True, X)(X)[:, 2] == 0)


def test_a_column_without_any_value_is_taken_for_0():
    transform = fit_preparation(True, np.array([[NAN, 1.0], [NAN, 2.0]]))
    np.testing.assert_array_equal(transform(np.array([[NAN, NAN], [2.0, 1.5]])), [[0, 0], [2, 0]])


def test_a_row_is_prepared_alike_whatever_stands_beside_it(X):
    transform = fit_preparation(True, X[:20])
    beside = X[20:].copy()
    beside[1:] = NAN
    np.testing.assert_array_equal(transform(X[20:])[0], transform(beside)[0])


def test_preparing_changes_no_input(X):
    before = X.copy()
    fit_preparation(True, X[:20])(X)
    np.testing.assert_array_equal(X, before)
