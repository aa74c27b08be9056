"""ESMBO: sequential model-based ensemble optimization (Lacoste et al. 2014, algorithm 2)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.contracts import Memory
from bayes_hpo.ensembles.bootstraps import Resampling, risks, weights
from bayes_hpo.ensembles.row_losses import row_losses
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import History
from bayes_hpo.search.bayesian import NO_STATE, Bayesian
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True, kw_only=True)
class Esmbo(Bayesian):
    """Bayesian optimization of the risk on resampled validation rows, a different resample at each trial in turn.

    resampling: draws the resamples of the validation rows.
    task: what is predicted and how errors are counted.
    """

    resampling: Resampling
    task: Task

    def observations(self, history: History, seeds: Seeds) -> tuple[NDArray, NDArray]:
        """All trials (n,), and their risks (n,) on bootstrap t mod N, t = len(history) (algorithm 2)."""
        losses = row_losses(history, self.task)
        drawn = weights(self.resampling, losses.shape[1], seeds)
        turn = len(history) % self.resampling.count
        return np.arange(len(history)), risks(drawn[turn : turn + 1], losses)[0]

    def chain(self, history: History) -> Memory:
        """No state: all observations change with the resample, so the surrogate is fitted from scratch."""
        return NO_STATE
