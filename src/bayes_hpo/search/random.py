"""Random search: every configuration drawn from the space, whatever happened before (Bergstra and Bengio, JMLR 13)."""

from dataclasses import dataclass

from bayes_hpo.pool import History, Proposal
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True)
class RandomSearch:
    """Uniform in the unit cube of the space, so uniform in the exponent of a log-scaled hyperparameter."""

    space: Space

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the configuration of trial len(history). Independent of the trials so far."""
        t = len(history)
        return Proposal(self.space.sample(seeds("proposal", t)), round=t)
