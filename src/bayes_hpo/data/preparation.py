"""Preparation of features, fitted to the training rows of each model or once per repetition, never to test rows."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.prepared import Data


def by_source(data: Data, rows: NDArray) -> Data:
    """The Data unchanged: `fit_preparation` follows `Data.fitted`, which depends on the source (D26)."""
    return data


def untouched(data: Data, rows: NDArray) -> Data:
    """The Data with its features unchanged, whatever their source: the learner imputes and scales them itself."""
    return replace(data, fitted=False)


def standardised(data: Data, rows: NDArray) -> Data:
    """The Data with its features imputed and standardized once for all models (thesis, 5.5).

    rows (n,): all rows except the test part, over which medians, means and deviations are computed.
    """
    return replace(data, X=fit_preparation(True, data.X[rows])(data.X), fitted=False)


def standardised_per_model(data: Data, rows: NDArray) -> Data:
    """The Data whose features every model imputes and standardizes by its own training rows (thesis, 4.4.1; D26)."""
    return replace(data, fitted=True)


def fit_preparation(fitted: bool, X_train: NDArray) -> Callable[[NDArray], NDArray]:
    """The function X (n, p) -> features (n, p) for a learner, fitted to the training rows X_train (n_train, p).

    fitted: `Data.fitted`. False: features are used unchanged. True: a missing value becomes the median of its column (0
        when all are missing), then every column gets mean 0 and deviation 1 (divisor n); a constant column becomes 0.
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
    means = np.where(constant, filled[0], filled.mean(axis=0))  # a constant's mean may be off by a rounding error
    deviations = np.where(constant, 1.0, filled.std(axis=0))

    def transform(X):
        return (np.where(np.isnan(X), medians, X) - means) / deviations

    return transform
