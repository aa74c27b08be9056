"""Ensemble optimization: every trial refills one slot of an ensemble (thesis, alg. 4.1; uai2016, alg. 1)."""

from dataclasses import dataclass
from functools import cached_property

from numpy.typing import NDArray

from bayes_hpo.contracts import Memory
from bayes_hpo.ensembles.probabilities import labelled
from bayes_hpo.ensembles.slots import Replay, Slots
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.pool import History
from bayes_hpo.search.bayesian import NO_STATE, Bayesian
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True, kw_only=True)
class EnsembleOptimization(Bayesian):
    """Bayesian optimization of the loss of the ensemble with the new model in slot t mod m.

    slots: rules by which the slots of the ensemble are filled.
    The initial design lasts until `n_initial` trials are outside the other slots: m + 1 trials by default (D20).
    """

    slots: Slots

    def __post_init__(self):
        super().__post_init__()
        self.slots.check_budget(self.budget)

    def observations(self, history: History, seeds: Seeds) -> tuple[NDArray, NDArray]:
        """Trials (n,) in no other slot, and the losses (n,) of the ensemble with each of them (eq. 4.3, 4.4)."""
        votes = StoredVotes.of(history, seeds, self.slots.ties)
        return self.slots.observations(self._replay(votes), votes)

    def chain(self, history: History) -> Memory:
        """No state: all observations change with the slot, so the surrogate is fitted from scratch (thesis, 4.2)."""
        return NO_STATE

    @cached_property
    def _replay(self):
        return Replay(self.slots)


class OfProbabilities(EnsembleOptimization):
    """Ensemble optimization on stored class probabilities: a trial votes for its most probable class (D24 of DivBO)."""

    def observations(self, history: History, seeds: Seeds) -> tuple[NDArray, NDArray]:
        return super().observations(labelled(history), seeds)
