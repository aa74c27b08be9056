"""The ensemble that ensemble optimization ends with: the members of its slots (thesis, algorithm 4.1)."""

from dataclasses import dataclass
from functools import cached_property

from bayes_hpo.ensembles.combine import Combine, Vote, probable_vote
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.ensembles.probabilities import labelled
from bayes_hpo.ensembles.slots import Replay, Slots
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.pool import History, Pool
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True, kw_only=True)
class SlotMembers:
    """A vote of the slots' members, replayed from the trials of any search, whichever searcher has made them.

    slots: the rules by which they are filled, and by which ties of votes are broken.
    """

    slots: Slots

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble after all trials of the pool; of fewer than m members after fewer than m finished trials.

        While every slot is empty, as after one trial of `LaggedSlots`, it is the best trial by itself.
        Raises: EmptyPoolError when no trial has finished, RunError when the pool stores no labels.
        """
        finished, history = pool.finished(), pool.history  # raises EmptyPoolError
        votes = self.votes(history, seeds)
        members = [member for member in self._replay(votes) if member is not None] or [votes.best([], finished)]
        return Ensemble.of_trials(history.configurations, members, self.combine)

    def votes(self, history: History, seeds: Seeds) -> StoredVotes:
        """The votes of all trials."""
        return StoredVotes.of(history, seeds, self.slots.ties)

    @property
    def combine(self) -> Combine:
        """The rule of the vote."""
        return Vote(self.slots.ties)

    @cached_property
    def _replay(self):
        return Replay(self.slots)


class ProbableSlotMembers(SlotMembers):
    """The same from stored class probabilities; their mean breaks ties of votes (D24 of DivBO)."""

    def votes(self, history: History, seeds: Seeds) -> StoredVotes:
        return super().votes(labelled(history), seeds)

    @property
    def combine(self) -> Combine:
        return probable_vote
