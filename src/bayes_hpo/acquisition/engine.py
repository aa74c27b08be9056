"""The Gaussian-process engine (docs/decisions.md, Spearmint): what its searchers and its selector share."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.acquisition.criteria import Averaged
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.model import Model

POINT, CHAIN = "point", "chain"  # what a trial remembers: where in the cube it was proposed, the state of the chain


@dataclass(frozen=True, kw_only=True)
class Engine:
    """How the losses are modelled and an acquisition is maximised.

    model: kernel and priors. hyperparameters: how they are had (`slice_sampling`, `maximum_likelihood`). targets: what
    the model is told of the losses (`gp.targets`). candidates: where a maximum is looked for first (`candidates`).
    maximizer: how the best point is found from there (`maximize`, `local_search`).
    """

    space: Space
    model: Model
    hyperparameters: object
    targets: object
    candidates: object
    maximizer: object

    def points(self, trials):
        """Points (n, d) of the cube at which the model sees the trials (a History or a Pool).

        Where a trial remembers its point, that is it; an integer or a category decodes from many.
        """
        memories = [trial.proposal.memory for trial in trials]
        if all(POINT in memory for memory in memories):
            points = np.array([memory[POINT] for memory in memories]).reshape(len(memories), len(self.space))
        else:
            points = self.space.encode([trial.proposal.configuration for trial in trials])
        return self.candidates.placed(self.space, points)

    def fit(self, X, losses, memory, rng):
        """Targets (n,) of the losses (n,) at X (n, d), and the Posterior that predicts from them.

        Its hyperparameters are those of the chain that `memory` (dict) goes on, or of a fresh one.
        """
        y = self.targets(losses)
        if CHAIN in memory:
            states = self.hyperparameters.continued(memory[CHAIN], self.model, X, y, rng)
        else:
            states = self.hyperparameters.fresh(self.model, X, y, rng)
        return y, self.model.posterior(states, X, y)

    def optimum(self, acquisition, posterior, tried, rng):
        """Point (d,) of the highest averaged acquisition; tried (`tried`): what need not be tried again."""
        candidates = self.candidates.offered(tried, rng)
        return self.maximizer(Averaged(acquisition, posterior), candidates, tried, rng)
