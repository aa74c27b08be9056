"""Rules by which the predictions of an ensemble's members become those of the ensemble.

Shapes: n rows, n_members members; labels are class numbers from 0.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.ensembles.ties import Ties, random_order
from bayes_hpo.errors import RunError

TOLERANCE = 1e-9  # relative: sums of the same weights in another order may differ by a rounding error


@runtime_checkable
class Combine(Protocol):
    """A rule of combination."""

    def __call__(self, predictions: NDArray, weights: NDArray, rng: Generator, /) -> NDArray:
        """Predictions (n[, n_classes]) of the ensemble.

        predictions (n_members, n[, n_classes]): those of the members.
        weights (n_members,): those of the members.
        rng: gives the order of the labels of each row, where the rule has ties to break.
        """
        ...


def only(predictions: NDArray, weights: NDArray, rng: Generator) -> NDArray:
    """Predictions (n[, n_classes]) of the single member, given its predictions (1, n[, n_classes])."""
    (single,) = predictions
    return single


@dataclass(frozen=True)
class Vote:
    """Labels (n,) with the highest weighted number of votes among labels (n_members, n).

    ties: gives an order of the labels per row; the tied label that is first in it wins, for all methods of a repetition
        (thesis, 4.3.3; D21).
    """

    ties: Ties = random_order

    def __call__(self, labels: NDArray, weights: NDArray, rng: Generator) -> NDArray:
        """The winners (n,) among labels (n_members, n), given weights (n_members,)."""
        leads = _leads(labels, weights)
        n_classes, n = leads.shape
        return np.where(leads, self.ties(n_classes, n, rng), -1).argmax(axis=0)


vote = Vote()


def mean(predictions: NDArray, weights: NDArray, rng: Generator) -> NDArray:
    """Weighted mean (n[, n_classes]) of values or class probabilities (n_members, n[, n_classes]).

    sum_m w_m p_m / sum_m w_m  (Lacoste et al. 2014, section 4; Shen et al. 2022, A.1)
    Raises: RunError for labels.
    """
    _refuse_labels(predictions)
    return np.average(predictions, axis=0, weights=weights)


def probable_vote(predictions: NDArray, weights: NDArray, rng: Generator) -> NDArray:
    """Probabilities (n, n_classes) that are highest for the class with the most votes.

    predictions (n_members, n, n_classes): class probabilities; a member votes for the highest, the first of equals.
    weights (n_members,): whole numbers.
    Ties of votes are broken by the mean of the probabilities. Raises: RunError for labels.
    """
    _refuse_labels(predictions)
    votes = predictions.argmax(axis=2)[..., None] == np.arange(predictions.shape[2])
    # (votes + mean probability) / (number of votes + 1): one vote more counts more than any probability
    return (np.tensordot(weights, votes, 1) + mean(predictions, weights, rng)) / (weights.sum() + 1)


@dataclass(frozen=True)
class LinearStacker:
    """A linear model of the members' values, fitted to the truth of stored predictions; ignores the members' weights.

    intercept: in the unit of the target. slopes (n_members,).
    """

    intercept: float
    slopes: tuple[float, ...]

    @classmethod
    def fit(cls, values: NDArray, truth: NDArray) -> "LinearStacker":
        """The stacker of least squares, given values (n_members, n) and truth (n,)."""
        # min over b_0, b of |y - b_0 - values' b|^2
        design = np.column_stack([np.ones(len(truth)), values.T])  # (n, 1 + n_members)
        intercept, *slopes = np.linalg.lstsq(design, truth)[0].tolist()
        return cls(intercept, tuple(slopes))

    def __call__(self, values: NDArray, weights: NDArray, rng: Generator) -> NDArray:
        """Values (n,) of the ensemble, given those of its members (n_members, n)."""
        return self.intercept + np.asarray(self.slopes) @ values


def _refuse_labels(predictions):
    """Raises: RunError when the predictions are labels, of which there is no mean."""
    if np.issubdtype(predictions.dtype, np.integer):
        raise RunError(
            "this ensemble averages class probabilities, and the models of this study predict labels; choose a "
            "selector that votes, such as eo or post_hoc, or a study whose task predicts probabilities, such as divbo"
        )


def _leads(labels, weights):
    """Whether a class has the most votes of a row: (n_classes, n)."""
    votes = np.zeros((int(labels.max()) + 1, labels.shape[1]))  # (n_classes, n)
    for member_labels, weight in zip(labels, weights, strict=True):
        votes[member_labels, np.arange(labels.shape[1])] += weight
    return votes >= votes.max(axis=0) * (1 - TOLERANCE)
