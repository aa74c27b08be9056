"""SMAC: random forest, expected improvement, local search (Hutter, Hoos, Leyton-Brown, LION 2011; thesis, 5.5)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.acquisition.candidates import Samples
from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.contracts import EvaluatedPoints, Memory
from bayes_hpo.pool import History, Proposal
from bayes_hpo.search.bayesian import Bayesian, Draws
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import IMPUTED


@dataclass(frozen=True, kw_only=True)
class SMAC(Bayesian):
    """Bayesian optimization from the middle of the space, with every second trial random (docs/decisions.md, D5.14).

    candidates: also the source of the random configurations.
    """

    candidates: Samples

    n_initial: PositiveInt = 1

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the configuration of trial t = len(history): after the initial design, a random one if t is even.

        No configuration is proposed twice while a new candidate is left (D5.12).
        """
        t = len(history)
        if t < self.n_initial or t % 2:
            return super().propose(history, seeds)
        # every second configuration is random, so that no region of the space is excluded for good
        evaluated = self.evaluated(history)
        candidates = self.candidates.generate(evaluated, seeds("candidates", t))
        return self.proposal(evaluated.first_new(candidates), t)

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """The middle (d,) of the unit cube."""
        return np.full(len(self.space), IMPUTED)

    def draws(self, seeds: Seeds, t: int) -> Draws:
        """Generators of trial t, a separate one for each use."""
        return Draws(seeds("forest", t), seeds("candidates", t), seeds("neighbours", t))

    def memory(self, point: NDArray, state: Memory) -> dict:
        """The surrogate's state only: the point of a trial is encoded from its configuration."""
        return dict(state)
