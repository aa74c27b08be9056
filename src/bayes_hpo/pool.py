"""Records of a search: proposals, trials, the history that a searcher reads, and the pool that a selector reads."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.errors import EmptyPoolError, RunError

FINISHED, FAILED, TIMED_OUT = "finished", "failed", "timed out"


@dataclass(frozen=True)
class Proposal:
    """What a searcher proposes to evaluate next.

    configuration: hyperparameter name -> value.
    round: number of the round; reshuffled splits are redrawn for each round.
    memory: name -> array (k,), state of the searcher to store with this trial, such as the state of a Markov chain.
    """

    configuration: dict
    round: int
    memory: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """One evaluated proposal.

    losses (n_folds,): validation losses; not finite if the trial failed and the loss has no worst value.
    status: FINISHED, FAILED or TIMED_OUT.
    selection_losses (n_folds,): losses on the selection split; None without one.
    predictions (n_validation[, n_classes]): predictions for the rows of `Truth`; None if not stored.
    test_predictions (n_test[, n_classes]): predictions for the test part; None if not stored, and always None in a pool
        that was read from its file, so that no selector sees them.
    test_reason: why the model of a finished trial has no test predictions, else empty; hidden like them.
    unconverged: number of solver runs that hit their iteration cap.
    seconds: CPU time of the evaluation; the limit if it timed out, 0 if it crashed its process.
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
        """Copy of this trial as a searcher may see it: without selection losses or anything about the test part."""
        return replace(self, selection_losses=None, test_predictions=None, test_reason="")


@dataclass(frozen=True)
class Truth:
    """Ground truth of the stored predictions, shared by all trials of a pool and ordered by fold.

    y (n_validation,): class numbers or values.
    folds (n_validation,): fold number of each row.
    """

    y: NDArray
    folds: NDArray


class History:
    """The trials so far, as a searcher sees them: without selection losses or test part.

    truth: ground truth of the stored predictions, from which a searcher may compute ensemble losses; None without them.
    """

    def __init__(self, trials: Iterable[Trial] = (), truth: Truth | None = None):
        self._trials = tuple(trial.blind() for trial in trials)
        self.truth = truth

    def __add__(self, trial: Trial) -> "History":
        """The history extended by one trial."""
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
        """Configuration of each trial."""
        return [trial.proposal.configuration for trial in self._trials]

    @property
    def losses(self) -> NDArray:
        """(n_trials,) mean validation loss of each trial, failed ones included.

        Where losses are unbounded, a failed trial has no finite loss: it counts as the worst finite loss, else 0.
        """
        losses = np.array([trial.loss for trial in self._trials], dtype=float)
        known = losses[np.isfinite(losses)]
        return np.where(np.isfinite(losses), losses, known.max() if len(known) else 0.0)

    @property
    def memory(self) -> dict:
        """Memory of the latest trial, name -> array; empty before the first."""
        return self._trials[-1].proposal.memory if self._trials else {}


@dataclass(frozen=True)
class Pool:
    """A finished search: its trials in order, and their provenance.

    fingerprint: digest of the code, configuration and data that the pool depends on.
    provenance: resolved configuration, package versions and code revision that produced it.
    truth: ground truth of the stored predictions; None without them.
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
        """The history that the searcher saw."""
        return History(self.trials, self.truth)

    @property
    def losses(self) -> NDArray:
        """(n_trials, n_folds) validation losses."""
        return np.array([trial.losses for trial in self.trials])

    @property
    def selection_losses(self) -> NDArray:
        """(n_trials, n_folds) losses on the selection split.

        Raises: RunError if the protocol had no selection split.
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

        Raises: EmptyPoolError if every trial failed.
        """
        indices = np.flatnonzero([trial.status == FINISHED for trial in self.trials])
        if not len(indices):
            raise EmptyPoolError(f"none of the {len(self.trials)} trials of this pool has finished")
        return indices
