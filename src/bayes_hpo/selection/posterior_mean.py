"""The configuration with the lowest posterior mean of a Gaussian process; it need not have been tried (thesis, 3.4)."""

from dataclasses import dataclass

from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.gp.acquisition import NegativeMean
from bayes_hpo.gp.engine import Engine


@dataclass(frozen=True, kw_only=True)
class PosteriorMean(Engine):
    """The engine as a selector: a fresh chain on all observations, its mean minimised over the cube (D5, D18)."""

    def __call__(self, pool, seeds):
        """The ensemble of one member, a configuration without a trial.

        pool.losses (n_trials, n_folds): failed trials stay in with their loss (D27).
        Raises: EmptyPool when no trial has finished, Fault when a loss is not finite.
        """
        pool.finished()  # raises EmptyPool
        X, y, posterior = self.predicted(pool, seeds)
        rng = seeds("posterior_mean_around_best")
        point = self.optimum(NegativeMean(), posterior, self.grid, best=X[y.argmin()], rng=rng)
        return Ensemble.single(self.space.decode(point))

    def predicted(self, pool, seeds):
        """Points (n, d), targets (n,) and the Posterior that predicts from them."""
        X, y = self.points(pool), self.targets(pool.history.losses)
        states = self.hyperparameters.fresh(self.model, X, y, seeds("posterior_mean_mcmc"))
        return X, y, self.model.posterior(states, X, y)
