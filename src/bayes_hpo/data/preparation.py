"""Preparation of features, fitted to each model's training rows or once per repetition, never to test rows."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.prepared import Data


def by_source(data: Data, rows: NDArray) -> Data:
    """The Data unchanged: its source determines `Data.fitted` and thereby the preparation (D26)."""
    return data


def untouched(data: Data, rows: NDArray) -> Data:
    """The Data with features unchanged for every source: the learner imputes and scales them itself."""
    return replace(data, fitted=False)


def standardised(data: Data, rows: NDArray) -> Data:
    """The Data with features imputed and standardized once for all models (thesis, 5.5).

    rows (n,): rows that medians, means and standard deviations are computed from, all except the test part.
    """
    return replace(data, X=fit_preparation(True, data.X[rows])(data.X), fitted=False)


def standardised_per_model(data: Data, rows: NDArray) -> Data:
    """The Data with features to be imputed and standardized by each model's training rows (thesis, 4.4.1; D26)."""
    return replace(data, fitted=True)


def fit_preparation(fitted: bool, X_train: NDArray) -> Callable[[NDArray], NDArray]:
    """The transform X (n, p) -> features (n, p) for a learner, fitted to the training rows X_train (n_train, p).

    fitted: `Data.fitted`. If false, features are used unchanged. If true, missing values are replaced by the median of
        their column (0 if all are missing), then every column is standardized (divisor n); constant columns become 0.
    """
    return _imputed_and_standardized(X_train) if fitted else _unchanged


def _unchanged(X):
    return X


def _imputed_and_standardized(X_train):
    # x := median where missing; (x - mean) / s with s^2 = sum (x - mean)^2 / n, per column of X_train
    missing = np.isnan(X_train).all(axis=0)
    medians = np.nanmedian(np.where(missing, 0.0, X_train), axis=0)  # (p,)
    filled = np.where(np.isnan(X_train), medians, X_train)
    constant = filled.max(axis=0) == filled.min(axis=0)
    means = np.where(constant, filled[0], filled.mean(axis=0))  # the computed mean of a constant is subject to rounding
    deviations = np.where(constant, 1.0, filled.std(axis=0))

    def transform(X):
        return (np.where(np.isnan(X), medians, X) - means) / deviations

    return transform
