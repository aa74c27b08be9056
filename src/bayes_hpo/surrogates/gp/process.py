"""The Gaussian process as a surrogate: a model and the inference of its hyperparameters (thesis, 2.1 and 2.4)."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.contracts import Memory, Predictive
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.regression import CHAIN


@runtime_checkable
class Inference(Protocol):
    """Inference of a model's hyperparameters, as states (s, 3 + p), the latest last."""

    def fresh(self, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """States given the values y (n,) at X (n, d), from scratch."""
        ...

    def continued(self, state: NDArray, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """States given the values y (n,) at X (n, d), from the latest state (3 + p,) of an earlier fit."""
        ...


@dataclass(frozen=True)
class GaussianProcess:
    """A Gaussian process with inferred hyperparameters.

    model: kernel and priors, dense or by blocks.
    hyperparameters: inference method.
    """

    model: Model
    hyperparameters: Inference

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> Predictive:
        """Posterior given the targets (n,) at points (n, d).

        The chain of hyperparameters in `memory` is continued; without one, a fresh chain is started.
        """
        # a continued chain has no burn-in
        if CHAIN in memory:
            states = self.hyperparameters.continued(memory[CHAIN], self.model, points, targets, rng)
        else:
            states = self.hyperparameters.fresh(self.model, points, targets, rng)
        return self.model.posterior(states, points, targets)
