"""Rules that combine the predictions of an ensemble's members.

Shapes: n rows, n_members members; labels are class numbers from 0.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.ensembles.ties import Ties, random_order
from bayes_hpo.errors import RunError

TOLERANCE = 1e-9  # relative; the same weights summed in a different order may differ by rounding


@runtime_checkable
class Combine(Protocol):
    """A combination rule."""

    def __call__(self, predictions: NDArray, weights: NDArray, rng: Generator, /) -> NDArray:
        """Predictions (n[, n_classes]) of the ensemble.

        predictions (n_members, n[, n_classes]): predictions of the members.
        weights (n_members,): weights of the members.
        rng: determines the order of the labels in each row, for a rule that breaks ties.
        """
        ...


def only(predictions: NDArray, weights: NDArray, rng: Generator) -> NDArray:
    """Predictions (n[, n_classes]) of the single member, given as (1, n[, n_classes])."""
    (single,) = predictions
    return single


@dataclass(frozen=True)
class Vote:
    """Weighted plurality vote.

    ties: order of the labels in each row; the first of the tied labels wins, the same for all methods of a repetition
        (thesis, 4.3.3; D21).
    """

    ties: Ties = random_order

    def __call__(self, labels: NDArray, weights: NDArray, rng: Generator) -> NDArray:
        """Winning labels (n,), given the members' labels (n_members, n) and weights (n_members,)."""
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
    """Class probabilities (n, n_classes) that are highest for the class with the most votes.

    predictions (n_members, n, n_classes): class probabilities; a member votes for the most probable class, the first of
        equals.
    weights (n_members,): integers.
    Ties of votes are broken by the mean probability. Raises: RunError for labels.
    """
    _refuse_labels(predictions)
    votes = predictions.argmax(axis=2)[..., None] == np.arange(predictions.shape[2])
    # (votes + mean probability) / (number of votes + 1): one more vote outweighs any difference in probability
    return (np.tensordot(weights, votes, 1) + mean(predictions, weights, rng)) / (weights.sum() + 1)


@dataclass(frozen=True)
class LinearStacker:
    """A linear model of the members' values, fitted to the truth of stored predictions; ignores the members' weights.

    intercept: in units of the target.
    slopes (n_members,): one per member.
    """

    intercept: float
    slopes: tuple[float, ...]

    @classmethod
    def fit(cls, values: NDArray, truth: NDArray) -> "LinearStacker":
        """Least-squares fit to values (n_members, n) and truth (n,)."""
        # min over b_0, b of |y - b_0 - values' b|^2
        design = np.column_stack([np.ones(len(truth)), values.T])  # (n, 1 + n_members)
        intercept, *slopes = np.linalg.lstsq(design, truth)[0].tolist()
        return cls(intercept, tuple(slopes))

    def __call__(self, values: NDArray, weights: NDArray, rng: Generator) -> NDArray:
        """Values (n,) of the ensemble, given those of its members (n_members, n)."""
        return self.intercept + np.asarray(self.slopes) @ values


def _refuse_labels(predictions):
    """Raise a RunError if the predictions are labels, which have no mean."""
    if np.issubdtype(predictions.dtype, np.integer):
        raise RunError(
            "this ensemble averages class probabilities, and the models of this study predict labels; choose a "
            "selector that votes, such as eo or post_hoc, or a study whose task predicts probabilities, such as divbo"
        )


def _leads(labels, weights):
    """Whether each class has the most votes in each row (n_classes, n)."""
    votes = np.zeros((int(labels.max()) + 1, labels.shape[1]))  # (n_classes, n)
    for member_labels, weight in zip(labels, weights, strict=True):
        votes[member_labels, np.arange(labels.shape[1])] += weight
    return votes >= votes.max(axis=0) * (1 - TOLERANCE)
