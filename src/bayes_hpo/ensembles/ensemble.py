"""An ensemble: weighted members and the rule that combines their predictions; a single model is an ensemble of one."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.ensembles.combine import Combine, only, vote


@dataclass(frozen=True)
class Member:
    """A weighted configuration; `trial` is its index in the pool, None if it was never evaluated."""

    configuration: dict
    weight: float = 1.0
    trial: int | None = None


@dataclass(frozen=True)
class Ensemble:
    """The result of a selector: members, and the rule that combines their predictions."""

    members: tuple[Member, ...]
    combine: Combine = vote

    @classmethod
    def single(cls, configuration: dict, trial: int | None = None) -> "Ensemble":
        """The ensemble with one member."""
        return cls((Member(configuration, trial=trial),), only)

    @classmethod
    def of_trials(cls, configurations: list[dict], trials: Iterable[int], combine: Combine = vote) -> "Ensemble":
        """The ensemble of some trials of a pool with these configurations; a trial that occurs k times has weight k."""
        times = Counter(map(int, trials))
        return cls(tuple(Member(configurations[t], float(k), t) for t, k in times.items()), combine)

    def combined(self, predictions: NDArray, rng: Generator) -> NDArray:
        """Predictions (n[, n_classes]) of the ensemble, given those of its members (n_members, n[, n_classes])."""
        return self.combine(predictions, np.array([member.weight for member in self.members]), rng)
