"""The Gaussian-process engine (docs/decisions.md, Spearmint): what its searcher and its selector share."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.gp.acquisition import Averaged
from bayes_hpo.gp.candidates import around, sobol_grid, unused
from bayes_hpo.gp.model import Model
from bayes_hpo.spaces.space import Space

LIMITS = {"candidates": (2, 10**7), "around_best": (1, 10**7)}  # one that was never tried is always there
POINT, CHAIN = "point", "chain"  # what a trial remembers: where in the cube it was proposed, the state of the chain


@dataclass(frozen=True, kw_only=True)
class Engine:
    """How the losses are modelled and an acquisition is maximised.

    model: kernel and priors. hyperparameters: how they are had (`slice_sampling`, `maximum_likelihood`). targets: what
    the model is told of the losses (`gp.targets`). candidates: size of the Sobol grid. around_best: candidates drawn
    around the best trial. maximizer: how the best point is found from them (`gp.maximize`).
    Raises: UserError for a setting off its limits.
    """

    space: Space
    model: Model
    hyperparameters: object
    targets: object
    candidates: int
    around_best: int
    maximizer: object

    def __post_init__(self):
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise UserError(f"{name}={value:g} must lie between {low:g} and {high:g}")

    @property
    def grid(self):
        """The fixed candidates (candidates, d) of the unit cube."""
        return sobol_grid(len(self.space), self.candidates)

    def points(self, trials):
        """Points (n, d) of the cube at which the trials (a History or a Pool) were made.

        Where a trial remembers its point, that is it; an integer or a category decodes from many (protocol 1.2).
        """
        memories = [trial.proposal.memory for trial in trials]
        if all(POINT in memory for memory in memories):
            return np.array([memory[POINT] for memory in memories]).reshape(len(memories), len(self.space))
        return self.space.encode([trial.proposal.configuration for trial in trials])

    def posterior(self, X, losses, memory, rng):
        """Targets (n,) of the losses (n,) at X (n, d), and the Posterior that predicts from them.

        Its hyperparameters are those of the chain that `memory` (dict) goes on, or of a fresh one.
        """
        y = self.targets(losses)
        if CHAIN in memory:
            states = self.hyperparameters.continued(memory[CHAIN], self.model, X, y, rng)
        else:
            states = self.hyperparameters.fresh(self.model, X, y, rng)
        return y, self.model.posterior(states, X, y)

    def unused(self, points):
        """Points of the grid at which none of the points (n, d) lies."""
        return unused(len(self.space), self.candidates, points)

    def optimum(self, acquisition, posterior, candidates, *, best, rng):
        """Point (d,) of the highest averaged acquisition, looked for from the candidates and around `best` (d,)."""
        every = np.concatenate([candidates, around(best, self.around_best, rng)])
        return self.maximizer(Averaged(acquisition, posterior), every)
