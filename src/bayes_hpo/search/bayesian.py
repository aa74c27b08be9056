"""Bayesian optimization: fit a surrogate of the loss, evaluate the maximizer of an acquisition (thesis, alg. 2.2)."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.acquisition.criteria import Integrated
from bayes_hpo.acquisition.evaluated import POINT, Evaluated, proposed_points
from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.contracts import (
    AcquisitionRule,
    Candidates,
    Criterion,
    EvaluatedPoints,
    Maximizer,
    Memory,
    Predictive,
    Surrogate,
    Targets,
)
from bayes_hpo.errors import UserError
from bayes_hpo.pool import History, Proposal
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

NO_STATE: Memory = {}


class Draws(NamedTuple):
    """Random generators of one proposal."""

    surrogate: Generator
    candidates: Generator
    maximizer: Generator


@dataclass(frozen=True, kw_only=True)
class Bayesian:
    """A searcher composed of interchangeable parts; each trial is a round of its own.

    space: search space; points are encoded in its unit cube.
    surrogate: predicts the targets at any point of the cube.
    targets: output transform, from losses to the targets of the surrogate.
    acquisition: rule that builds the acquisition function of the next trial from the targets.
    candidates: initial design, and candidate points from which the acquisition is maximized.
    maximizer: maximizes the acquisition, given the candidates.
    budget: number of trials of a search.
    n_initial: number of observations before the first surrogate.

    A variant overrides `observations` (the losses given to the surrogate: ensemble optimization, ESMBO) or `criterion`
    (what the next trial maximizes: DivBO).
    """

    space: Space
    surrogate: Surrogate
    targets: Targets
    acquisition: AcquisitionRule
    candidates: Candidates
    maximizer: Maximizer
    budget: int
    n_initial: PositiveInt = 2

    def __post_init__(self):
        if self.budget < self.n_initial:
            raise UserError(
                f"budget={self.budget} is below the initial design; raise it to at least {self.n_initial} trials"
            )

    def observations(self, history: History, seeds: Seeds) -> tuple[NDArray, NDArray]:
        """The observations given to the surrogate: trial numbers (n,) and losses (n,), failed trials included (D27).

        An override may return other losses, or fewer trials. seeds: for overrides that draw, such as a bootstrap.
        """
        return np.arange(len(history)), history.losses

    def criterion(self, history: History, predictive: Predictive, targets: NDArray, seeds: Seeds) -> Criterion:
        """The criterion that the next trial maximizes, given the fitted surrogate and its targets (n,).

        An override may add a term computed from the history, such as the diversity of predictions.
        seeds: for overrides that draw.
        """
        return Integrated(self.acquisition(targets), predictive)

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the configuration of trial t = len(history).

        Until there are `n_initial` observations, proposals come from the initial design. The surrogate continues from
        its state in the memory of the latest trial.
        """
        # thesis, alg. 2.2: fit the surrogate, maximize the criterion, propose
        t = len(history)
        points, losses = self._observed(history, seeds)
        if len(points) < self.n_initial:
            return self.proposal(self.initial(self.evaluated(history), t, seeds), t)
        draws, targets = self.draws(seeds, t), self.targets(losses)
        predictive = self.surrogate.fit(points, targets, self.chain(history), draws.surrogate)
        evaluated = self.evaluated(history, best=points[targets.argmin()])
        candidates = self.candidates.generate(evaluated, draws.candidates)
        criterion = self.criterion(history, predictive, targets, seeds)
        return self.proposal(self.maximizer(criterion, candidates, evaluated, draws.maximizer), t, predictive.state)

    def fitted(self, history: History, seeds: Seeds) -> tuple[NDArray, NDArray, Predictive]:
        """Points (n, d), targets (n,) and the fitted surrogate from which trial len(history) is proposed."""
        points, losses = self._observed(history, seeds)
        targets, rng = self.targets(losses), self.draws(seeds, len(history)).surrogate
        return points, targets, self.surrogate.fit(points, targets, self.chain(history), rng)

    def chain(self, history: History) -> Memory:
        """State from which the surrogate's fit continues: the memory of the latest trial."""
        return history.memory

    def points(self, history: History) -> NDArray:
        """Points (n, d) of all trials, as given to the surrogate."""
        return self.candidates.transform(self.space, proposed_points(history, self.space))

    def evaluated(self, history: History, best: NDArray | None = None) -> Evaluated:
        """The evaluated points in order of increasing loss, and `best` (d,), the point of the lowest observation."""
        return Evaluated(self.space, self.points(history)[history.losses.argsort(kind="stable")], best)

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t of the initial design."""
        return self.candidates.initial(evaluated, t, seeds)

    def draws(self, seeds: Seeds, t: int) -> Draws:
        """Generators of trial t. Candidates and maximizer share one: released pools depend on it."""
        shared = seeds("around_best", t)
        return Draws(seeds("mcmc", t), shared, shared)

    def memory(self, point: NDArray, state: Memory) -> dict:
        """Memory of a trial proposed at `point` (d,): the point and the surrogate's state."""
        return {POINT: np.array(point), **state}

    def proposal(self, point: NDArray, t: int, state: Memory = NO_STATE) -> Proposal:
        """Proposal of trial t at `point` (d,)."""
        return Proposal(self.space.decode(point), round=t, memory=self.memory(point, state))

    def _observed(self, history, seeds):
        """Points (n, d) and losses (n,) of the observations given to the surrogate."""
        indices, losses = self.observations(history, seeds)
        return self.points(history)[indices], losses
