"""Stored class probabilities of the trials of a search, and the losses of ensembles that average them.

The ensemble predicts the class with the highest unweighted mean probability over its members, the first of equals (Shen
et al. 2022, A.1). Shapes: n validation rows, t candidates.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.ensembles.votes import TIED, Members
from bayes_hpo.errors import RunError
from bayes_hpo.pool import FINISHED, History

LEAST = float(np.finfo(np.float32).eps)  # lower bound of probabilities in logarithms; they are stored in float32


@dataclass(frozen=True, eq=False)
class StoredProbabilities:
    """The stored predictions of a history as class probabilities.

    values (n_trials, n, n_classes): zero for a failed trial; a stored label has probability 1.
    finished (n_trials,): whether each trial has finished.
    losses (n_trials,): mean validation loss of each single trial.
    truth (n,): true labels.
    folds (n,): fold number of each row, rows being ordered by fold.
    """

    values: NDArray
    finished: NDArray
    losses: NDArray
    truth: NDArray
    folds: NDArray

    @classmethod
    def of(cls, history: History) -> "StoredProbabilities":
        """Those of all trials. Raises: RunError if predictions are not stored, or are not of classes."""
        truth, trials = history.truth, [history[t] for t in range(len(history))]
        finished = np.array([trial.status == FINISHED for trial in trials], dtype=bool)
        if truth is None or any(trial.predictions is None for trial in trials if trial.status == FINISHED):
            raise RunError("this pool stores no predictions; give its study evaluation: predictions, and search again")
        if truth.y.dtype.kind == "f":
            raise RunError("this pool predicts values; probabilities need a study of classification")
        stored = {t: np.asarray(trials[t].predictions) for t in np.flatnonzero(finished)}
        n_classes = max([1 + int(truth.y.max()), *map(_classes, stored.values())])
        values = np.zeros((len(trials), len(truth.y), n_classes), np.float32)
        for t, predictions in stored.items():
            values[t] = predictions if predictions.ndim == 2 else np.eye(n_classes)[predictions]
        return cls(values, finished, history.losses, truth.y.astype(int), truth.folds.astype(int))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def labels(self) -> NDArray:
        """(n_trials, n) class that each trial predicts."""
        return self.values.argmax(axis=2)

    def extended(self, members: Members, candidates: Members) -> "Extended":
        """The ensemble of the members, extended by each of the candidates (t,)."""
        return Extended(self, np.asarray(members, dtype=int), np.asarray(candidates, dtype=int))

    def loss(self, loss: "MeanLoss", members: Members) -> float:
        """Loss of the ensemble of the members, at least one."""
        return float(loss(self.extended(members[:-1], members[-1:]))[0])

    def best(self, members: Members, candidates: NDArray, *losses: "MeanLoss") -> int:
        """The candidate in (t,), t > 0, that minimizes the loss of the members plus that candidate.

        Ties are broken by the next loss, and finally by the order of `candidates`.
        """
        for loss in losses:
            values = loss(self.extended(members, candidates))
            candidates = candidates[values <= values.min() + TIED]
        return int(candidates[0])

    @cached_property
    def leads(self) -> NDArray:
        """(n_classes - 1, n_trials, n) lead of each wrong class over the true one."""
        return np.array([self._of(other) - self.of_truth for other in self._others])

    @cached_property
    def of_truth(self) -> NDArray:
        """(n_trials, n) probability of the true class, in double precision, so that sums are exact."""
        return self._of(self.truth)

    @cached_property
    def wins_ties(self) -> NDArray:
        """(n_classes - 1, n) whether a wrong class wins a tie with the true one: the smaller class number wins."""
        return self._others < self.truth

    @cached_property
    def fold_rows(self) -> list[slice]:
        """Rows of each fold, which are contiguous."""
        ends = [0, *np.flatnonzero(np.diff(self.folds)) + 1, len(self.folds)]
        return [slice(first, last) for first, last in pairwise(ends)]

    def share(self, rows: NDArray) -> float:
        """Mean over the folds of the fraction of their rows that are marked in `rows` (n,) (D23)."""
        shares = [np.count_nonzero(rows[fold]) / (fold.stop - fold.start) for fold in self.fold_rows]
        return sum(shares) / len(shares)

    @cached_property
    def row_weights(self) -> NDArray:
        """(n,) weight of each row in the mean over folds of the means over their rows (D23)."""
        sizes = np.bincount(self.folds)
        return 1 / (np.count_nonzero(sizes) * sizes[self.folds])

    @property
    def _others(self):
        """(n_classes - 1, n) wrong classes of each row."""
        n_classes = self.values.shape[2]
        return (self.truth + np.arange(1, n_classes)[:, None]) % n_classes

    def _of(self, labels):
        """(n_trials, n) probability of the class given for each row (n,)."""
        return np.take_along_axis(self.values, labels[None, :, None], axis=2)[:, :, 0].astype(float)


@dataclass(frozen=True)
class Extended:
    """An ensemble E of `members` (k,), and the candidates h (t,) of E + h."""

    stored: StoredProbabilities
    members: NDArray
    candidates: NDArray

    @property
    def wrong(self) -> Iterator[NDArray]:
        """Yield for each candidate whether the most probable class of E + h is wrong (n,)."""
        leads = self.stored.leads
        # a wrong class wins if lead_h > -sum_E lead; >= where it wins ties, that is > the next smaller number
        least = -leads[:, self.members].sum(axis=1)  # (n_classes - 1, n)
        least = np.where(self.stored.wins_ties, np.nextafter(least, -np.inf), least)
        for h in self.candidates:  # one at a time, so that its leads stay in the processor's cache
            yield np.logical_or.reduce(leads[:, h] > least)

    @property
    def of_truth(self) -> NDArray:
        """(t, n) probability of the true class under E + h."""
        of_truth = self.stored.of_truth
        return (of_truth[self.candidates] + of_truth[self.members].sum(axis=0)) / (len(self.members) + 1)


MeanLoss = Callable[[Extended], NDArray]  # losses (t,) of the ensemble extended by each of t candidates


def zero_one(extended: Extended) -> NDArray:
    """Losses (t,): fraction of rows whose most probable class is wrong (Shen et al. 2022, A.1)."""
    return np.array([extended.stored.share(rows) for rows in extended.wrong])


def cross_entropy(extended: Extended) -> NDArray:
    """Losses (t,): mean of -log p(true class), by which neural ensemble search selects (D25)."""
    return -np.log(np.maximum(extended.of_truth, LEAST)) @ extended.stored.row_weights


def labelled(history: History) -> History:
    """The history with class probabilities replaced by the predicted labels, the first of equally probable ones."""
    trials = [history[t] for t in range(len(history))]
    return History([_labelled(trial) for trial in trials], history.truth)


def _labelled(trial):
    predictions = trial.predictions
    is_probable = predictions is not None and predictions.ndim == 2
    return replace(trial, predictions=predictions.argmax(axis=1)) if is_probable else trial


def _classes(predictions):
    """Number of classes that occur in predictions (n,) or (n, n_classes)."""
    return predictions.shape[1] if predictions.ndim == 2 else 1 + int(predictions.max(initial=0))
