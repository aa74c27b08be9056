"""The best trials of a finished search, stacked (Shen et al. 2022, table 9; D29)."""

from dataclasses import dataclass

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.ensembles.stack import stacked
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True)
class Stacking:
    """A stack of the best trials; its meta-learner is fitted when the stack is scored (`scoring.stacked`).

    size: number of trials with the lowest losses, ties in order of trial; fewer if fewer have finished.
    """

    size: PositiveInt

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble, whose members are the bases of one stack. Raises: EmptyPoolError when no trial has finished."""
        finished, losses = pool.finished(), pool.losses.mean(axis=1)
        best = finished[losses[finished].argsort(kind="stable")][: self.size].tolist()
        return stacked(Member(pool[t].proposal.configuration, trial=t) for t in best)
