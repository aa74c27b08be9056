"""The best trials of a finished search, averaged with their accuracies as weights (Shen et al. 2022, table 9; D29)."""

from dataclasses import dataclass

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.ensembles.combine import mean
from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True)
class Bagging:
    """The mean of the class probabilities of the best trials, weighted by validation accuracy.

    size: number of trials with the lowest losses, ties in order of trial; fewer if fewer have finished.
    """

    size: PositiveInt

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble, without trials of loss 1; if all trials have loss 1, the first is its only member.

        Reads pool.losses (n_trials, n_folds), zero-one loss in [0, 1].
        Raises: EmptyPoolError when no trial has finished.
        """
        finished, losses = pool.finished(), pool.losses.mean(axis=1)
        best = finished[losses[finished].argsort(kind="stable")][: self.size].tolist()
        weights = {t: 1 - float(losses[t]) for t in best if losses[t] < 1} or {best[0]: 1.0}
        return Ensemble(tuple(Member(pool[t].proposal.configuration, w, t) for t, w in weights.items()), mean)
