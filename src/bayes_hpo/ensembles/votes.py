"""Votes of the trials of a search on the validation rows, and the losses of ensembles of trials."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.ensembles.extension import Errors, Extension
from bayes_hpo.ensembles.losses import EnsembleLoss
from bayes_hpo.ensembles.ties import Ties, random_order
from bayes_hpo.errors import RunError
from bayes_hpo.pool import FINISHED, History
from bayes_hpo.seeds import Seeds

TIED = 1e-12  # losses that differ by less are mathematically equal: the same numbers in a different order of summation
Members = Sequence[int] | NDArray  # trial numbers; one that occurs twice has two votes


@dataclass(frozen=True, eq=False)
class StoredVotes:
    """The stored predictions of a history as votes.

    labels (n_trials, n): those of a failed trial are never read.
    finished (n_trials,): whether each trial has finished.
    losses (n_trials,): mean validation loss of each single trial.
    truth (n,): true labels.
    folds (n,): fold number of each row.
    priority (n_classes, n): order of tied labels (`ties`).
    """

    labels: NDArray
    finished: NDArray
    losses: NDArray
    truth: NDArray
    folds: NDArray
    priority: NDArray

    @classmethod
    def of(cls, history: History, seeds: Seeds, ties: Ties = random_order) -> "StoredVotes":
        """The votes of all trials.

        ties: orders the labels of each row, in the same way for every method and every history of a repetition.
        Raises: RunError if predictions are not stored, or are not labels.
        """
        truth, trials = history.truth, [history[t] for t in range(len(history))]
        finished = np.array([trial.status == FINISHED for trial in trials], dtype=bool)
        if truth is None or any(trial.predictions is None for trial in trials if trial.status == FINISHED):
            raise RunError("this pool stores no predictions; give its study evaluation: predictions, and search again")
        labels = np.zeros((len(trials), *_labels(truth.y, truth.y).shape), dtype=truth.y.dtype)
        for t in np.flatnonzero(finished):
            labels[t] = _labels(trials[t].predictions, truth.y)
        n_classes = 1 + int(max(truth.y.max(), labels.max(initial=0)))
        priority = _priority(ties, n_classes, len(truth.y), seeds)
        return cls(labels, finished, history.losses, truth.y, truth.folds.astype(np.intp), priority)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, trials: slice) -> "StoredVotes":
        parts = {name: getattr(self, name)[trials] for name in ("labels", "finished", "losses")}
        return replace(self, **parts)

    def begins_with(self, other: "StoredVotes") -> bool:
        """Whether the first trials are those of `other`, on the same rows."""
        own = self[: len(other)]
        shared = min(len(own.priority), len(other.priority))
        return all(
            np.array_equal(getattr(own, name), getattr(other, name))
            for name in ("labels", "finished", "losses", "truth", "folds")
        ) and np.array_equal(own.priority[:shared], other.priority[:shared])

    def counts(self, members: Members) -> NDArray:
        """Votes (n_classes, n) of the members."""
        n = len(self.truth)
        cells = np.multiply(self.labels[np.asarray(members, dtype=int)], n, dtype=np.intp) + np.arange(n)
        return np.bincount(cells.ravel(), minlength=self.priority.size).reshape(self.priority.shape)

    def extended(self, members: Members, candidates: Members) -> Extension:
        """The ensemble of the members, extended by each of the candidates (t,)."""
        chosen, rows = np.asarray(candidates, dtype=int), (self.truth, self.folds, self.priority)
        return Extension(self.counts(members), len(members) + 1, chosen, self.errors, *rows)

    @cached_property
    def errors(self) -> Errors:
        """Errors of every single trial."""
        return Errors.of(self.labels, self.truth, self.folds)

    def loss(self, loss: EnsembleLoss, members: Members) -> float:
        """Loss of the ensemble of the members, at least one."""
        return float(loss(self.extended(members[:-1], members[-1:]))[0])

    def best(self, members: Members, candidates: NDArray, *losses: EnsembleLoss) -> int:
        """The candidate in (t,), t > 0, that minimizes the loss of the members plus that candidate.

        Ties are broken by the next loss, then by the candidate's own loss, and finally by the earlier trial (D22).
        """
        for loss in losses:
            values = loss(self.extended(members, candidates))
            candidates = candidates[values <= values.min() + TIED]
        return int(candidates[self.losses[candidates].argmin()])


@lru_cache(maxsize=4)
def _priority(ties, n_classes, n, seeds):
    """The order of the labels of n validation rows; cached, since every trial of a search needs it."""
    priority = ties(n_classes, n, seeds("validation_vote"))
    priority.flags.writeable = False
    return priority


def _labels(predictions, truth):
    """Labels (n,) that a trial predicts. Raises: RunError if they are not labels of the rows of the truth (n,)."""
    if predictions.shape != truth.shape or not np.issubdtype(predictions.dtype, np.integer):
        raise RunError(
            "the stored predictions are not labels of the validation rows; a vote needs task: classification"
        )
    return predictions
