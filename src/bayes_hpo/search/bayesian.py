"""Bayesian optimization: Gaussian process, expected improvement, the point where it is highest (thesis, alg. 2.2)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.gp.acquisition import ExpectedImprovement
from bayes_hpo.gp.engine import CHAIN, POINT, Engine
from bayes_hpo.gp.tried import Tried
from bayes_hpo.pool import Proposal

INITIAL = 2  # observations without which there is no model


@dataclass(frozen=True, kw_only=True)
class Bayesian(Engine):
    """The engine as a searcher; each trial is a round of its own. budget: trials of a search."""

    budget: int

    def __post_init__(self):
        if self.budget < INITIAL:
            raise UserError(f"budget={self.budget} is smaller than the initial design of {INITIAL} trials")

    def propose(self, history, seeds):
        """Propose the configuration of trial t = len(history).

        The first two observations are made where the candidates say. The chain's state travels in the memory of the
        latest trial; without one a chain starts and burns in.
        """
        t, points = len(history), self.points(history)
        if len(self.observations(history)[0]) < INITIAL:
            return self._proposal(self.candidates.first(Tried(self.space, points, best=None), t, seeds), t, {})
        X, y, posterior = self.predicted(history, seeds)
        tried = Tried(self.space, points, best=X[y.argmin()])
        # every draw of a suggestion is from this name, which chapter 3's pools hang on
        point = self.optimum(self.acquisition(y), posterior, tried, seeds("around_best", t))
        return self._proposal(point, t, {CHAIN: posterior.states[-1]})

    def predicted(self, history, seeds):
        """Points (n, d), targets (n,) and the Posterior from which trial len(history) is proposed."""
        indices, losses = self.observations(history)
        X = self.points(history)[indices]
        return X, *self.posterior(X, losses, history.memory, seeds("mcmc", len(history)))

    def acquisition(self, y):
        """What the next trial maximises, given the targets y (n,)."""
        return ExpectedImprovement(y.min())

    def observations(self, history):
        """What the Gaussian process is told of: trial numbers (n,) and losses (n,), failed trials included (D27)."""
        return np.arange(len(history)), history.losses

    def _proposal(self, point, t, memory):
        return Proposal(self.space.decode(point), round=t, memory={POINT: np.array(point)} | memory)
