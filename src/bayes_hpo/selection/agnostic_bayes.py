"""Agnostic Bayes over the trials of a finished search (Lacoste et al. 2014, section 3 and algorithm 2)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.ensembles.agnostic_bayes import RiskPosterior, shares
from bayes_hpo.ensembles.combine import Combine
from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.ensembles.row_losses import row_losses
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True, kw_only=True)
class AgnosticBayes:
    """Weights each trial by the posterior probability that its risk is the lowest.

    posterior: posterior of the trials' risks, given their losses on the validation rows.
    combine: kind of task -> rule of combination, such as a vote of labels or a mean of values.
    task: task of the stored predictions.
    """

    posterior: RiskPosterior
    combine: dict[str, Combine]
    task: Task

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble of all trials with positive weight; failed trials have weight 0.

        Raises: EmptyPoolError when no trial has finished, RunError when the pool stores no predictions for the task.
        """
        finished, history = pool.finished(), pool.history
        eligible = np.isin(np.arange(len(pool)), finished)
        weights = shares(self.posterior.samples(row_losses(history, self.task), seeds), eligible).tolist()
        members = [Member(history.configurations[t], weights[t], t) for t in np.flatnonzero(weights).tolist()]
        return Ensemble(tuple(members), self.combine[self.task.kind])
