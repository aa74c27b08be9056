"""The final ensemble of ensemble optimization: the members of its slots (thesis, algorithm 4.1)."""

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
    """A vote of the members of the slots, which are replayed from the trials of any searcher.

    slots: rules that fill the slots and break ties of votes.
    """

    slots: Slots

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble after all trials of the pool; it has fewer than m members while slots are empty.

        If every slot is empty, as after one trial with `LaggedSlots`, the best trial is the only member.
        Raises: EmptyPoolError when no trial has finished, RunError when the pool stores no labels.
        """
        finished, history = pool.finished(), pool.history  # raises EmptyPoolError
        votes = self.votes(history, seeds)
        members = [member for member in self._replay(votes) if member is not None] or [votes.best([], finished)]
        return Ensemble.of_trials(history.configurations, members, self.combine)

    def votes(self, history: History, seeds: Seeds) -> StoredVotes:
        """The stored predictions of all trials as votes."""
        return StoredVotes.of(history, seeds, self.slots.ties)

    @property
    def combine(self) -> Combine:
        """The rule that combines the members' predictions."""
        return Vote(self.slots.ties)

    @cached_property
    def _replay(self):
        return Replay(self.slots)


class ProbableSlotMembers(SlotMembers):
    """Slot members from stored class probabilities, whose mean breaks ties of votes (D24 of DivBO)."""

    def votes(self, history: History, seeds: Seeds) -> StoredVotes:
        return super().votes(labelled(history), seeds)

    @property
    def combine(self) -> Combine:
        return probable_vote
