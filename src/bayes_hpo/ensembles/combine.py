"""How members' predictions become one: combine(predictions, weights, rng) -> predictions of the same kind.

predictions (n_members, n[, n_classes]); weights (n_members,); rng: of one draw per row, where a rule has ties to break.
"""

from dataclasses import dataclass

import numpy as np

EQUAL = 1e-9  # relative: sums of the same weights may differ by a rounding error


def only(predictions, weights, rng):
    """What the single member predicts."""
    (single,) = predictions
    return single


def vote(labels, weights, rng):
    """Labels (n,) that most of the weight votes for.

    labels (n_members, n): class numbers from 0. rng gives one number per row, which decides among the classes that
    lead in it: a tie falls alike for all methods of a repetition (thesis, 4.3.3; D21).
    """
    leads = _leads(labels, weights)
    winner = (rng.random(labels.shape[1]) * leads.sum(axis=0)).astype(int)  # (n,) which of those that lead
    return (leads & (leads.cumsum(axis=0) == winner + 1)).argmax(axis=0)


def vote_for_first(labels, weights, rng):
    """As `vote`, but of the classes that lead the first wins (the code of Lacoste et al. 2014)."""
    return _leads(labels, weights).argmax(axis=0)


def mean(predictions, weights, rng):
    """Weighted mean of values or of class probabilities.

    sum_m w_m p_m / sum_m w_m  (Lacoste et al. 2014, section 4; Shen et al. 2022, A.1)
    """
    return np.average(predictions, axis=0, weights=weights)


@dataclass(frozen=True)
class LinearStacker:
    """A linear model of the members' values, fitted to the truth of stored predictions; it weighs by itself.

    intercept: in the unit of the target. slopes (n_members,).
    """

    intercept: float
    slopes: tuple

    @classmethod
    def fit(cls, values, truth):
        """Least squares over values (n_members, n) and truth (n,)."""
        design = np.column_stack([np.ones(len(truth)), values.T])  # (n, 1 + n_members)
        intercept, *slopes = np.linalg.lstsq(design, truth)[0].tolist()
        return cls(intercept, tuple(slopes))

    def __call__(self, values, weights, rng):
        return self.intercept + np.asarray(self.slopes) @ values


def _leads(labels, weights):
    """Whether a class has the most votes of a row: (n_classes, n)."""
    votes = np.zeros((int(labels.max()) + 1, labels.shape[1]))  # (n_classes, n)
    for member_labels, weight in zip(labels, weights, strict=True):
        votes[member_labels, np.arange(labels.shape[1])] += weight
    return votes >= votes.max(axis=0) * (1 - EQUAL)
