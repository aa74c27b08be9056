"""Preparation of features: by each model's training rows, or once in a repetition; never by a row of the test part."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.prepared import Data


def by_source(data: Data, rows: NDArray) -> Data:
    """Leave the Data to `fit_preparation`: its source says whether each model's training rows prepare it (D26)."""
    return data


def standardised(data: Data, rows: NDArray) -> Data:
    """Return the Data with its features imputed and standardised, once for all models (thesis, 5.5).

    rows: everything but the test part; no other row moves a statistic, which are those of `fit_preparation`.
    """
    return replace(data, X=fit_preparation(True, data.X[rows])(data.X), fitted=False)


def fit_preparation(fitted: bool, X_train: NDArray) -> Callable[[NDArray], NDArray]:
    """Return a function X (n, p) -> features (n, p) that a learner may see; no row but those of X_train is looked at.

    fitted (bool): Data.fitted. False: the features are used as they are. True: a missing value becomes the median of
    its column (0 when the column has none), then every column gets mean 0 and deviation 1 (divisor n; 1 for a constant
    column), all over X_train (n_train, p).
    """
    return _imputed_and_standardised(X_train) if fitted else _untouched


def _untouched(X):
    return X


def _imputed_and_standardised(X_train):
    unknown = np.isnan(X_train).all(axis=0)
    medians = np.nanmedian(np.where(unknown, 0.0, X_train), axis=0)  # (p,)
    filled = np.where(np.isnan(X_train), medians, X_train)
    constant = filled.max(axis=0) == filled.min(axis=0)
    means = np.where(constant, filled[0], filled.mean(axis=0))  # a constant's mean may be off by a rounding error
    spread = np.where(constant, 1.0, filled.std(axis=0))

    def transform(X):
        return (np.where(np.isnan(X), medians, X) - means) / spread

    return transform
