"""What a search leaves behind: proposals, trials, the history that a searcher reads, the pool that a selector reads."""

from dataclasses import dataclass, field, replace

import numpy as np

from bayes_hpo.errors import EmptyPool, Fault

FINISHED, FAILED, TIMED_OUT = "finished", "failed", "timed out"


@dataclass(frozen=True)
class Proposal:
    """What a searcher wants to be evaluated next.

    configuration: dict, hyperparameter name -> value. round: int, what a reshuffled split is drawn for.
    memory: dict, name -> array (k,), what the searcher must remember with this trial (a chain's state).
    """

    configuration: dict
    round: int
    memory: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """One evaluated proposal.

    losses (n_folds,): validation loss per fold; not finite when the trial failed and the loss has no worst value.
    selection_losses (n_folds,) or None. predictions (n_validation[, n_classes]), of what `Truth` holds, or None.
    test_predictions (n_test[, n_classes]) or None: in a pool that was read from its file always None, so that no
    selector sees them. unconverged: fits that met
    the solver's iteration cap. seconds: CPU time of the evaluation (the limit when it timed out, 0 when it ended its
    process); seconds_proposal: CPU time of the suggestion. reason: why a trial has failed, else empty.
    """

    proposal: Proposal
    losses: np.ndarray
    status: str = FINISHED
    selection_losses: np.ndarray | None = None
    predictions: np.ndarray | None = None
    test_predictions: np.ndarray | None = None
    unconverged: int = 0
    seconds: float = 0.0
    seconds_proposal: float = 0.0
    reason: str = ""

    @property
    def loss(self):
        """Mean validation loss over the folds."""
        return float(self.losses.mean())

    def blind(self):
        """This trial as a searcher may see it: nothing of the selection split and of the test part."""
        return replace(self, selection_losses=None, test_predictions=None)


@dataclass(frozen=True)
class Truth:
    """What the stored predictions of all trials of a pool are predictions of.

    y (n_validation,): class numbers or values, fold after fold. folds (n_validation,): number of the fold of each.
    """

    y: np.ndarray
    folds: np.ndarray


class History:
    """The trials so far, as a searcher sees them: no selection loss, no test part.

    truth: of the predictions that its trials store, of which a searcher may compute an ensemble's loss; or None.
    """

    def __init__(self, trials=(), truth=None):
        self._trials = tuple(trial.blind() for trial in trials)
        self.truth = truth

    def __add__(self, trial):
        """The history with one more trial."""
        longer = History(truth=self.truth)
        longer._trials = (*self._trials, trial.blind())
        return longer

    def __len__(self):
        return len(self._trials)

    def __getitem__(self, index):
        return History(self._trials[index], self.truth) if isinstance(index, slice) else self._trials[index]

    @property
    def configurations(self):
        return [trial.proposal.configuration for trial in self._trials]

    @property
    def losses(self):
        """(n_trials,) mean validation loss of each trial, failed ones included.

        A failed trial of an unbounded loss has none (NaN): it counts as the worst that was seen, 0 where none was.
        """
        losses = np.array([trial.loss for trial in self._trials], dtype=float)
        known = losses[np.isfinite(losses)]
        return np.where(np.isfinite(losses), losses, known.max() if len(known) else 0.0)

    @property
    def memory(self):
        """The memory of the latest trial: dict, name -> array; empty when there is none."""
        return self._trials[-1].proposal.memory if self._trials else {}


@dataclass(frozen=True)
class Pool:
    """A finished search: its trials in order, and where they come from.

    provenance: dict, what made it (resolved configuration, versions, revision); fingerprint: str, what it depends on.
    truth: of the predictions of its trials, None when they have none.
    """

    trials: tuple
    fingerprint: str = ""
    provenance: dict = field(default_factory=dict)
    truth: Truth | None = None

    def __len__(self):
        return len(self.trials)

    def __iter__(self):
        return iter(self.trials)

    def __getitem__(self, index):
        return replace(self, trials=self.trials[index]) if isinstance(index, slice) else self.trials[index]

    @property
    def history(self):
        """The pool as its searcher saw it."""
        return History(self.trials, self.truth)

    @property
    def losses(self):
        """(n_trials, n_folds) validation losses."""
        return np.array([trial.losses for trial in self.trials])

    @property
    def selection_losses(self):
        """(n_trials, n_folds) losses on the selection split.

        Raises: Fault when the pool was made without a selection split.
        """
        if any(trial.selection_losses is None for trial in self.trials):
            raise Fault("this pool has no selection split; choose a protocol that has one, such as holdout_sel")
        return np.array([trial.selection_losses for trial in self.trials])

    @property
    def rounds(self):
        """(n_trials,) the round of each trial."""
        return np.array([trial.proposal.round for trial in self.trials])

    def finished(self):
        """Indices (n_finished,) of the trials that ended well, in order.

        Raises: EmptyPool when there is none.
        """
        indices = np.flatnonzero([trial.status == FINISHED for trial in self.trials])
        if not len(indices):
            raise EmptyPool(f"none of the {len(self.trials)} trials of this pool has finished")
        return indices
