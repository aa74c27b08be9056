"""The configuration with the lowest posterior mean of a Gaussian process; it need not have been tried (thesis, 3.4)."""

from dataclasses import dataclass

from bayes_hpo.acquisition.criteria import NegativeMean
from bayes_hpo.acquisition.engine import Engine
from bayes_hpo.acquisition.tried import Tried
from bayes_hpo.ensembles.ensemble import Ensemble

FRESH = {}  # no memory: the chain starts anew


@dataclass(frozen=True, kw_only=True)
class PosteriorMean(Engine):
    """The engine as a selector: a fresh chain on all observations, its mean minimised over the cube (D5, D18)."""

    def __call__(self, pool, seeds):
        """The ensemble of one member, a configuration without a trial.

        pool.losses (n_trials, n_folds): failed trials stay in with their loss (D27).
        Raises: EmptyPool when no trial has finished.
        """
        pool.finished()  # raises EmptyPool
        return Ensemble.single(self.space.decode(self.lowest(*self.surrogate(pool, seeds), seeds)))

    def lowest(self, X, y, posterior, seeds):
        """Point (d,) of the lowest posterior mean, given the targets y (n,) at X (n, d)."""
        anywhere = Tried(self.space, points=X[:0], best=X[y.argmin()])  # what was tried may be the lowest
        return self.optimum(NegativeMean(), posterior, anywhere, seeds("posterior_mean_around_best"))

    def surrogate(self, pool, seeds):
        """Points (n, d), targets (n,) and the Posterior that predicts from them."""
        X = self.points(pool)
        return X, *self.fit(X, pool.history.losses, FRESH, seeds("posterior_mean_mcmc"))
