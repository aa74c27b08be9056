"""An ensemble that averages the class probabilities of selected trials (Caruana et al. 2004; Shen et al. 2022, A.1)."""

from dataclasses import dataclass

from bayes_hpo.ensembles.combine import mean
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.ensembles.greedy import Forward
from bayes_hpo.ensembles.probabilities import StoredProbabilities
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True, kw_only=True)
class EnsembleSelection:
    """The mean of the class probabilities of trials chosen by forward selection on their stored probabilities.

    greedy: the forward selection.
    """

    greedy: Forward

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble; a trial chosen k times has weight k.

        Raises: EmptyPoolError when no trial has finished, RunError when the pool stores no class predictions.
        """
        finished, history = pool.finished(), pool.history  # raises EmptyPoolError
        trials = self.greedy.grown(StoredProbabilities.of(history), finished, seeds)
        return Ensemble.of_trials(history.configurations, trials, mean)
