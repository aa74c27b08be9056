"""What a search leaves behind: proposals, trials, the history that a searcher reads, the pool that a selector reads."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.errors import EmptyPoolError, RunError

FINISHED, FAILED, TIMED_OUT = "finished", "failed", "timed out"


@dataclass(frozen=True)
class Proposal:
    """What a searcher wants to be evaluated next.

    configuration: hyperparameter name -> value.
    round: what a reshuffled split is drawn for.
    memory: name -> array (k,), what the searcher must remember with this trial, such as the state of a chain.
    """

    configuration: dict
    round: int
    memory: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """One evaluated proposal.

    losses (n_folds,): validation losses; not finite when the trial failed and the loss has no worst value.
    status: FINISHED, FAILED or TIMED_OUT.
    selection_losses (n_folds,): losses on the selection split; None without one.
    predictions (n_validation[, n_classes]): of what `Truth` holds; None where they are not stored.
    test_predictions (n_test[, n_classes]): of the test part; None where they are not stored, and always in a pool that
        was read from its file, so that no selector sees them.
    test_reason: why the model of a finished trial has no predictions for the test part, else empty; as hidden as they.
    unconverged: number of fits whose solver met its iteration cap.
    seconds: CPU time of the evaluation; the limit when it timed out, 0 when it crashed its process.
    seconds_proposal: CPU time of the proposal.
    reason: why the trial failed, else empty.
    """

    proposal: Proposal
    losses: NDArray
    status: str = FINISHED
    selection_losses: NDArray | None = None
    predictions: NDArray | None = None
    test_predictions: NDArray | None = None
    test_reason: str = ""
    unconverged: int = 0
    seconds: float = 0.0
    seconds_proposal: float = 0.0
    reason: str = ""

    @property
    def loss(self) -> float:
        """Mean validation loss over the folds."""
        return float(self.losses.mean())

    def blind(self) -> "Trial":
        """This trial as a searcher may see it, without selection losses and what its model does on the test part."""
        return replace(self, selection_losses=None, test_predictions=None, test_reason="")


@dataclass(frozen=True)
class Truth:
    """What the stored predictions of all trials of a pool are predictions of, fold after fold.

    y (n_validation,): class numbers or values. folds (n_validation,): number of the fold of each.
    """

    y: NDArray
    folds: NDArray


class History:
    """The trials so far, as a searcher sees them: no selection loss, no test part.

    truth: that of the stored predictions, from which a searcher may compute the loss of an ensemble; None without them.
    """

    def __init__(self, trials: Iterable[Trial] = (), truth: Truth | None = None):
        self._trials = tuple(trial.blind() for trial in trials)
        self.truth = truth

    def __add__(self, trial: Trial) -> "History":
        """The history with one more trial."""
        longer = History(truth=self.truth)
        longer._trials = (*self._trials, trial.blind())
        return longer

    def __len__(self) -> int:
        return len(self._trials)

    @overload
    def __getitem__(self, index: int) -> Trial: ...
    @overload
    def __getitem__(self, index: slice) -> "History": ...
    def __getitem__(self, index):
        return History(self._trials[index], self.truth) if isinstance(index, slice) else self._trials[index]

    @property
    def configurations(self) -> list[dict]:
        """The configuration of each trial."""
        return [trial.proposal.configuration for trial in self._trials]

    @property
    def losses(self) -> NDArray:
        """(n_trials,) mean validation loss of each trial, failed ones included.

        A failed trial has no loss (NaN) where losses are unbounded; it counts as the worst loss so far, 0 before any.
        """
        losses = np.array([trial.loss for trial in self._trials], dtype=float)
        known = losses[np.isfinite(losses)]
        return np.where(np.isfinite(losses), losses, known.max() if len(known) else 0.0)

    @property
    def memory(self) -> dict:
        """The memory of the latest trial, name -> array; empty before the first."""
        return self._trials[-1].proposal.memory if self._trials else {}


@dataclass(frozen=True)
class Pool:
    """A finished search: its trials in order, and where they come from.

    fingerprint: digest of the code, configuration and data that it depends on.
    provenance: the resolved configuration, package versions and code revision that made it.
    truth: that of the stored predictions, None without them.
    """

    trials: tuple[Trial, ...]
    fingerprint: str = ""
    provenance: dict = field(default_factory=dict)
    truth: Truth | None = None

    def __len__(self) -> int:
        return len(self.trials)

    def __iter__(self) -> Iterator[Trial]:
        return iter(self.trials)

    @overload
    def __getitem__(self, index: int) -> Trial: ...
    @overload
    def __getitem__(self, index: slice) -> "Pool": ...
    def __getitem__(self, index):
        return replace(self, trials=self.trials[index]) if isinstance(index, slice) else self.trials[index]

    @property
    def history(self) -> History:
        """The pool as its searcher saw it."""
        return History(self.trials, self.truth)

    @property
    def losses(self) -> NDArray:
        """(n_trials, n_folds) validation losses."""
        return np.array([trial.losses for trial in self.trials])

    @property
    def selection_losses(self) -> NDArray:
        """(n_trials, n_folds) losses on the selection split.

        Raises: RunError when the pool was made without a selection split.
        """
        if any(trial.selection_losses is None for trial in self.trials):
            raise RunError("this pool has no selection split; choose a protocol that has one, such as holdout_sel")
        return np.array([trial.selection_losses for trial in self.trials])

    @property
    def rounds(self) -> NDArray:
        """(n_trials,) round of each trial."""
        return np.array([trial.proposal.round for trial in self.trials])

    def finished(self) -> NDArray:
        """Indices (n_finished,) of the trials that did not fail, in order.

        Raises: EmptyPoolError when every trial failed.
        """
        indices = np.flatnonzero([trial.status == FINISHED for trial in self.trials])
        if not len(indices):
            raise EmptyPoolError(f"none of the {len(self.trials)} trials of this pool has finished")
        return indices
