"""Kinds of predictions: how a model is asked for them, what is decided by them, and in which type they are stored."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Values:
    """A number per row (n,), rounded to `dtype`."""

    dtype: str = "float64"

    def of(self, model, X):
        """The predictions of a trained model for rows X (n, p)."""
        return model.predict(X).astype(self.dtype)

    def decided(self, predictions):
        """What a loss compares with the truth: (n,)."""
        return predictions

    def stored(self, predictions, y):
        """Predictions in the type that they are stored in; y: everything that is true of the data set."""
        return predictions


@dataclass(frozen=True)
class Labels(Values):
    """A class number per row (n,), stored in the smallest type that holds every class."""

    dtype: str = "int64"

    def stored(self, predictions, y):
        return predictions.astype(np.min_scalar_type(y.max()))


@dataclass(frozen=True)
class Probabilities(Values):
    """A probability per row and class (n, n_classes); the most probable class is decided, of equals the first."""

    dtype: str = "float32"

    def of(self, model, X):
        return model.predict_proba(X).astype(self.dtype)

    def decided(self, predictions):
        return predictions.argmax(axis=1)
