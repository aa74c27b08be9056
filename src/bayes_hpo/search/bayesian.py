"""Bayesian optimization: Gaussian process, expected improvement, the point where it is highest (thesis, alg. 2.2)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.acquisition.criteria import ExpectedImprovement
from bayes_hpo.acquisition.engine import CHAIN, POINT, Engine
from bayes_hpo.acquisition.tried import Tried
from bayes_hpo.errors import UserError
from bayes_hpo.pool import Proposal

INITIAL = 2  # observations without which there is no model


@dataclass(frozen=True, kw_only=True)
class Bayesian(Engine):
    """The engine as a searcher; each trial is a round of its own. budget: trials of a search."""

    budget: int

    def __post_init__(self):
        if self.budget < INITIAL:
            raise UserError(f"budget={self.budget} is below the initial design; raise it to at least {INITIAL} trials")

    def propose(self, history, seeds):
        """Propose the configuration of trial t = len(history).

        The first two observations are made where the candidates say. The chain's state travels in the memory of the
        latest trial; without one a chain starts and burns in.
        """
        t = len(history)
        X, losses = self._observed(history)
        if len(X) < INITIAL:
            tried = Tried(self.space, self.points(history), best=None)
            return self._proposal(self.candidates.first(tried, t, seeds), t, {})
        y, posterior = self._fit(X, losses, history, seeds)
        tried = Tried(self.space, self.points(history), best=X[y.argmin()])
        # whatever candidates and maximiser draw is from this name: chapter 3's pools hang on it
        point = self.optimum(self.acquisition(y), posterior, tried, seeds("around_best", t))
        return self._proposal(point, t, {CHAIN: posterior.states[-1]})

    def surrogate(self, history, seeds):
        """Points (n, d), targets (n,) and the Posterior from which trial len(history) is proposed."""
        X, losses = self._observed(history)
        return X, *self._fit(X, losses, history, seeds)

    def acquisition(self, y):
        """What the next trial maximises, given the targets y (n,)."""
        return ExpectedImprovement(y.min())

    def observations(self, history):
        """What the Gaussian process is told of: trial numbers (n,) and losses (n,), failed trials included (D27)."""
        return np.arange(len(history)), history.losses

    def _observed(self, history):
        indices, losses = self.observations(history)
        return self.points(history)[indices], losses

    def _fit(self, X, losses, history, seeds):
        return self.fit(X, losses, history.memory, seeds("mcmc", len(history)))

    def _proposal(self, point, t, memory):
        return Proposal(self.space.decode(point), round=t, memory={POINT: np.array(point)} | memory)
