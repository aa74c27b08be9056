"""Bayesian optimization: Gaussian process, slice sampling, expected improvement, as in Spearmint (thesis, alg. 2.2)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.gp.acquisition import ExpectedImprovement
from bayes_hpo.gp.engine import Engine
from bayes_hpo.gp.hyperparameters import posteriors, sample
from bayes_hpo.gp.maximize import unused
from bayes_hpo.pool import Proposal


@dataclass(frozen=True, kw_only=True)
class Bayesian(Engine):
    """The engine as a searcher; each trial is a round of its own."""

    def propose(self, history, seeds):
        """Propose the configuration of trial t = len(history).

        The first two observations are made at the first grid points (D13), a grid point that was tried is not offered
        again. The chain's state travels in the memory of the latest trial; without one a chain starts and burns in.
        Raises: Fault when a loss is not finite.
        """
        t = len(history)
        indices, targets = self.observations(history)
        if len(indices) < 2:
            return Proposal(self.space.decode(self.grid[t]), round=t)
        tried = self.space.encode(history.configurations)  # (t, d)
        X = tried[indices]
        states = self.states(history.memory, X, targets, seeds("mcmc", t))
        criterion = ExpectedImprovement(posteriors(states, X, targets), targets.min())
        rng = seeds("around_best", t)
        point = self.optimum(criterion, unused(self.grid, tried), best=X[targets.argmin()], rng=rng)
        return Proposal(self.space.decode(point), round=t, memory={"chain": states[-1]})

    def observations(self, history):
        """What the Gaussian process is told: trial numbers (n,) and their values (n,), failed trials included (D27)."""
        return np.arange(len(history)), history.losses * self.objective_scale

    def states(self, memory, X, targets, rng):
        """Hyperparameter samples (samples, 3 + d) of the chain that `memory` goes on, or of a fresh one."""
        if "chain" in memory:
            return sample(memory["chain"], X, targets, rng, sweeps=self.samples)
        return self.fresh_samples(X, targets, rng)
