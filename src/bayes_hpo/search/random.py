"""Random search: configurations drawn from the space, independent of the history (Bergstra and Bengio, JMLR 13)."""

import math
from dataclasses import dataclass

from scipy.stats.qmc import Sobol

from bayes_hpo.pool import History, Proposal
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True)
class RandomSearch:
    """Samples every hyperparameter uniformly on its scale: uniformly in the exponent if the scale is logarithmic."""

    space: Space

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the configuration of trial len(history), whatever the earlier trials."""
        t = len(history)
        return Proposal(self.space.sample(seeds("proposal", t)), round=t)


@dataclass(frozen=True)
class SobolSearch:
    """The first `budget` points of the Sobol sequence, in random order (the code of Lacoste et al. 2014; D12)."""

    space: Space
    budget: int

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the configuration of trial len(history), whatever the earlier trials."""
        t = len(history)
        sequence = Sobol(len(self.space), scramble=False).random_base2(math.ceil(math.log2(self.budget)))
        place = seeds("sobol_order").permutation(self.budget)[t]
        return Proposal(self.space.decode(self.space.from_uniform(sequence[place : place + 1])[0]), round=t)
