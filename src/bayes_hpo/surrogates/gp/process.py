"""The Gaussian process as a surrogate: a model, and how its hyperparameters are inferred (thesis, 2.1 and 2.4)."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.contracts import Memory, Predictive
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.regression import CHAIN


@runtime_checkable
class Inference(Protocol):
    """How hyperparameters are inferred: states (s, 3 + p) of a model, the latest last."""

    def fresh(self, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """States given the values y (n,) at X (n, d)."""
        ...

    def continued(self, state: NDArray, model: Model, X: NDArray, y: NDArray, rng: Generator) -> NDArray:
        """The same, from the latest state (3 + p,) of an earlier fit."""
        ...


@dataclass(frozen=True)
class GaussianProcess:
    """model: kernel and priors, dense or by blocks. hyperparameters: the method of their inference."""

    model: Model
    hyperparameters: Inference

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> Predictive:
        """The posterior given the targets (n,) at points (n, d).

        Its hyperparameters continue the chain in `memory`, or start a fresh one.
        """
        # a continued chain needs no burn-in
        if CHAIN in memory:
            states = self.hyperparameters.continued(memory[CHAIN], self.model, points, targets, rng)
        else:
            states = self.hyperparameters.fresh(self.model, points, targets, rng)
        return self.model.posterior(states, points, targets)
