"""Kinds of predictions: the model's output, the decision derived from it, and the type in which it is stored."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Values:
    """One number per row (n,), in precision `dtype`."""

    dtype: str = "float64"

    def of(self, model: Any, X: NDArray) -> NDArray:
        """Predictions (n,) of a trained model for rows X (n, p)."""
        return model.predict(X).astype(self.dtype)

    def decided(self, predictions: NDArray) -> NDArray:
        """Decisions (n,) that the loss compares with the truth, given the predictions (n,)."""
        return predictions

    def stored(self, predictions: NDArray, y: NDArray) -> NDArray:
        """The predictions (n,) in their storage type, given the classes or values y (n_rows,) of all rows."""
        return predictions


@dataclass(frozen=True)
class Labels(Values):
    """One class number per row (n,), stored in the smallest type that can represent all classes."""

    dtype: str = "int64"

    def stored(self, predictions: NDArray, y: NDArray) -> NDArray:
        return predictions.astype(np.min_scalar_type(y.max()))


@dataclass(frozen=True)
class Probabilities(Values):
    """Class probabilities (n, n_classes); the decision is the most probable class, ties go to the first."""

    dtype: str = "float32"

    def of(self, model: Any, X: NDArray) -> NDArray:
        """Probabilities (n, n_classes) of a trained model for rows X (n, p).

        Raises: ValueError when a probability is not finite.
        """
        probabilities = model.predict_proba(X)
        if not np.isfinite(probabilities).all():
            raise ValueError("a class probability is not finite")
        return probabilities.astype(self.dtype)

    def decided(self, predictions: NDArray) -> NDArray:
        return predictions.argmax(axis=1)
