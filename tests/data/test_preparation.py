"""Preparation of features: by the rows it is given and no others, checked against scikit-learn."""

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bayes_hpo.data.preparation import by_source, fit_preparation, standardised, standardised_per_model
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.sources.table import one_hot

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


def data_of(X, fitted):
    return Data(X, np.arange(len(X)) % 2, np.array([], dtype=int), fitted, {"name": "tiny"})


@pytest.mark.parametrize("fitted", [False, True])
def test_standardised_data_are_what_scikit_learn_makes_of_the_named_rows(X, fitted):
    rows = np.arange(0, 30, 2)
    witness = make_pipeline(SimpleImputer(strategy="median"), StandardScaler()).fit(X[rows])
    prepared = standardised(data_of(X, fitted), rows)
    np.testing.assert_allclose(prepared.X, witness.transform(X), atol=1e-12)
    assert not prepared.fitted


def test_standardising_rows_that_are_standard_changes_nothing_but_the_last_bits(X):
    X = np.nan_to_num(X)
    once = standardised(data_of(X, False), np.arange(20))
    np.testing.assert_allclose(standardised(once, np.arange(20)).X, once.X, atol=1e-12)


def test_a_category_that_the_named_rows_lack_is_0_in_them_and_1_in_the_others():
    indicators = one_hot("colour", ["red", "green", "red", "blue"], ["red", "green", "blue"])
    prepared = standardised(data_of(indicators, True), np.array([0, 1, 2]))
    np.testing.assert_array_equal(prepared.X[:, 2], [0, 0, 0, 1])
    assert np.isfinite(prepared.X).all()


def test_data_left_to_their_source_are_the_same_object(X):
    data = data_of(X, True)
    assert by_source(data, np.arange(20)) is data


@pytest.mark.parametrize("fitted", [False, True])
def test_data_standardised_per_model_are_left_to_its_training_rows(X, fitted):
    data = data_of(X, fitted)
    prepared = standardised_per_model(data, np.arange(20))
    assert prepared.fitted
    assert prepared.X is data.X
