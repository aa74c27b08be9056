"""The configuration with the lowest posterior mean of a surrogate, evaluated or not (thesis, 3.4)."""

from dataclasses import dataclass

from numpy.typing import NDArray

from bayes_hpo.acquisition.criteria import Integrated, NegativeMean
from bayes_hpo.acquisition.evaluated import Evaluated, proposed_points
from bayes_hpo.acquisition.maximize import best_candidates
from bayes_hpo.contracts import Candidates, Maximizer, Memory, Predictive, Surrogate, Targets
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

NO_MEMORY: Memory = {}  # the surrogate is fitted from scratch


@dataclass(frozen=True, kw_only=True)
class PosteriorMean:
    """Fits a surrogate to all observations, from scratch, and minimizes its mean over the cube (D5, D18).

    The fields are those of `search.bayesian.Bayesian`.
    """

    space: Space
    surrogate: Surrogate
    targets: Targets
    candidates: Candidates
    maximizer: Maximizer

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble of one member: a configuration without a trial, even if it was evaluated.

        Reads pool.losses (n_trials, n_folds), failed trials included (D27).
        Raises: EmptyPoolError when no trial has finished.
        """
        pool.finished()  # raises EmptyPoolError
        return Ensemble.single(self.space.decode(self.lowest(*self.fitted(pool, seeds), seeds)))

    def lowest(self, points: NDArray, targets: NDArray, predictive: Predictive, seeds: Seeds) -> NDArray:
        """The point (d,) with the lowest posterior mean, given the targets (n,) at points (n, d)."""
        # no evaluated point is excluded: it may have the lowest mean
        anywhere = Evaluated(self.space, points[:0], best=points[targets.argmin()])
        rng = seeds("posterior_mean_around_best")
        candidates = self.candidates.generate(anywhere, rng)
        return self.maximizer(Integrated(NegativeMean(), predictive), candidates, anywhere, rng)

    def fitted(self, pool: Pool, seeds: Seeds) -> tuple[NDArray, NDArray, Predictive]:
        """Points (n, d), targets (n,) and the surrogate fitted to them."""
        points = self.candidates.transform(self.space, proposed_points(pool, self.space))
        targets = self.targets(pool.history.losses)
        return points, targets, self.surrogate.fit(points, targets, NO_MEMORY, seeds("posterior_mean_mcmc"))


class PosteriorMeanObserved(PosteriorMean):
    """The evaluated point with the lowest posterior mean: an ablation (D5)."""

    def lowest(self, points: NDArray, targets: NDArray, predictive: Predictive, seeds: Seeds) -> NDArray:
        return best_candidates(Integrated(NegativeMean(), predictive), points, 1)[0][0]
