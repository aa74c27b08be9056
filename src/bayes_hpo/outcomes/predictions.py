"""Kinds of predictions: what a model is asked for, the decision that follows, and the type in which they are stored."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Values:
    """A number per row (n,), rounded to `dtype`."""

    dtype: str = "float64"

    def of(self, model: Any, X: NDArray) -> NDArray:
        """Predictions (n,) of a trained model for rows X (n, p)."""
        return model.predict(X).astype(self.dtype)

    def decided(self, predictions: NDArray) -> NDArray:
        """What a loss compares with the truth (n,), given the predictions (n,)."""
        return predictions

    def stored(self, predictions: NDArray, y: NDArray) -> NDArray:
        """The predictions (n,) in the type in which they are stored; y (n_rows,): classes or values of all rows."""
        return predictions


@dataclass(frozen=True)
class Labels(Values):
    """A class number per row (n,), stored in the smallest type that holds every class."""

    dtype: str = "int64"

    def stored(self, predictions: NDArray, y: NDArray) -> NDArray:
        return predictions.astype(np.min_scalar_type(y.max()))


@dataclass(frozen=True)
class Probabilities(Values):
    """A probability per row and class (n, n_classes); the most probable class is decided, the first of equals."""

    dtype: str = "float32"

    def of(self, model: Any, X: NDArray) -> NDArray:
        """Probabilities (n, n_classes) of a trained model for rows X (n, p).

        Raises: ValueError when one is not finite.
        """
        probabilities = model.predict_proba(X)
        if not np.isfinite(probabilities).all():
            raise ValueError("a class probability is not finite")
        return probabilities.astype(self.dtype)

    def decided(self, predictions: NDArray) -> NDArray:
        return predictions.argmax(axis=1)
