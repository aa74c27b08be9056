"""Neural ensemble search: regularized evolution of the members of an ensemble (Zaidi et al. 2021; Shen et al. 2022)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.ensembles.greedy import Forward
from bayes_hpo.ensembles.probabilities import StoredProbabilities
from bayes_hpo.pool import History, Proposal
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.exchange import exchanges, resampled
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True, kw_only=True)
class NES:
    """Keeps a population of the latest trials; each new trial mutates a member of the population's ensemble (D25).

    space: search space.
    population: size of the population; as many random trials start the search.
    ensemble: selects the possible parents from the population.
    """

    space: Space
    population: PositiveInt
    ensemble: Forward

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the configuration of trial t = len(history).

        A mutant differs from its parent in one active hyperparameter, and in those that the change activates.
        """
        t = len(history)
        parents = self.parents(history, seeds) if t >= self.population else []
        if not parents:
            return Proposal(self.space.sample(seeds("proposal", t)), round=t)
        rng = seeds("mutation", t)
        point = self.space.encode([history[int(rng.choice(parents))].proposal.configuration])  # (1, d)
        # a random configuration if no mutation is valid
        children = [*exchanges(self.space, point, 1, resampled, rng), self.space.draw(1, rng)[0]]
        return Proposal(self.space.decode(children[0]), round=t)

    def parents(self, history: History, seeds: Seeds) -> list[int]:
        """Trials that the ensemble selects from the population; empty if all of it has failed."""
        stored = StoredProbabilities.of(history)
        finished = np.flatnonzero(stored.finished)
        young = finished[finished >= len(history) - self.population]
        return self.ensemble.grown(stored, young, seeds) if len(young) else []
