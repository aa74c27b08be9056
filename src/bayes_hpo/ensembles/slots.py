"""The slots of ensemble optimization: an ensemble of m models, one of which is replaced at every trial.

Thesis, algorithm 4.1; Lévesque et al. 2016, algorithm 1. The members after t trials depend on those t trials only.
Line numbers are the thesis'; trials are counted from 0 here, from 1 there.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import Range
from bayes_hpo.ensembles.losses import EnsembleLoss
from bayes_hpo.ensembles.ties import Ties, random_order
from bayes_hpo.ensembles.votes import Members, StoredVotes
from bayes_hpo.errors import UserError

MOST = 448  # slots; with more, one vote changes the sigmoid by less than its epsilon (`margins.sigmoid_slope`)
FAILED_LOSS = 1.0  # of an ensemble with a failed trial, whatever the loss function (D27)

Filled = tuple[int | None, ...]  # trial number of the member in each slot; None: empty


@dataclass(frozen=True, kw_only=True)
class Slots:
    """The rules by which slots are emptied, compared and filled.

    m: number of slots.
    loss: loss of the ensemble with each candidate, the surrogate's observations (line 5).
    pick: loss by which the member of a slot is chosen (line 11); ties are broken by `loss` (D22).
    ties: rule for ties of votes (D21).
    """

    m: Annotated[int, Range(ge=1, le=MOST)]
    loss: EnsembleLoss
    pick: EnsembleLoss
    ties: Ties = random_order

    def check_budget(self, budget: int) -> None:
        """Raise a UserError if a search of `budget` trials cannot fill the slots."""
        if self.m > budget:
            raise UserError(f"m={self.m} slots cannot be filled by budget={budget} trials; lower m or raise the budget")

    def filled(self, votes: StoredVotes) -> Filled:
        """Members after all trials of `votes`; slots are refilled in turn, round after round (eq. 4.4)."""
        return self.continued(self.empty, votes, 0)

    @property
    def empty(self) -> Filled:
        """The slots before the first trial."""
        return (None,) * self.m

    def continued(self, slots: Filled, votes: StoredVotes, t: int) -> Filled:
        """Members after all trials of `votes`, given those after the first t."""
        for turn in range(t, len(votes)):
            slots = self.refilled(slots, votes, turn)
        return slots

    def refilled(self, slots: Filled, votes: StoredVotes, t: int) -> Filled:
        """Members after trial t, given those before it (lines 11, 12); a slot without a candidate becomes empty."""
        rest = self.rest(slots, t)
        candidates = self.candidates(rest, self.competing(t))
        candidates = candidates[votes.finished[candidates]]
        member = votes.best(rest, candidates, self.pick, self.loss) if len(candidates) else None
        return (*slots[: t % self.m], member, *slots[t % self.m + 1 :])

    def observations(self, slots: Filled, votes: StoredVotes) -> tuple[NDArray, NDArray]:
        """Observations of the next surrogate: trials (k,), and losses (k,) of the rest with each of them (line 5).

        slots: members after all trials of `votes`. Failed trials have loss 1 (D27).
        """
        rest = self.rest(slots, len(votes))
        candidates = self.candidates(rest, len(votes))
        losses, finished = np.full(len(candidates), FAILED_LOSS), votes.finished[candidates]
        losses[finished] = self.loss(votes.extended(rest, candidates[finished]))
        return candidates, losses

    def rest(self, slots: Filled, t: int) -> list[int]:
        """Members of all slots but t mod m, the slot of trial t (lines 3, 4)."""
        return [member for slot, member in enumerate(slots) if slot != t % self.m and member is not None]

    def candidates(self, rest: Members, t: int) -> NDArray:
        """Those of the first t trials (k,) that may join the rest: all but its members (thesis, 4.2.2; D20)."""
        return np.setdiff1d(np.arange(t), rest)

    def competing(self, t: int) -> int:
        """Number of trials that compete for the slot of trial t, including trial t itself (line 11; D8)."""
        return t + 1


class SlotsWithReplacement(Slots):
    """Slots of which a trial may occupy several (D20, variant `eo-replace`)."""

    def candidates(self, rest: Members, t: int) -> NDArray:
        return np.arange(t)


class LaggedSlots(Slots):
    """Slots for which a new model competes one trial later, as in the released code (`eo-released-lag`)."""

    def check_budget(self, budget: int) -> None:
        """Raise a UserError if a search of `budget` trials cannot fill the slots; the last trial fills none."""
        if self.m >= budget:
            raise UserError(
                f"m={self.m} slots cannot be filled by budget={budget} trials, of which the last fills none; "
                "lower m or raise the budget"
            )

    def competing(self, t: int) -> int:
        return t


class Replay:
    """The members along a growing history; its only state is a cache of the latest, from which the next follow."""

    def __init__(self, slots: Slots):
        self.slots = slots
        self._latest: tuple[StoredVotes, Filled] | None = None

    def __call__(self, votes: StoredVotes) -> Filled:
        """Equal to `slots.filled(votes)`, at the cost of one turn per new trial."""
        known, slots = self._latest or (votes[:0], self.slots.empty)
        if not votes.begins_with(known):
            known, slots = votes[:0], self.slots.empty
        self._latest = votes, self.slots.continued(slots, votes, len(known))
        return self._latest[1]
