"""An ensemble: members with weights, and how their predictions are combined; a single model is an ensemble of one."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bayes_hpo.ensembles.combine import only, vote


@dataclass(frozen=True)
class Member:
    """A configuration with its weight; trial is its index in the pool, None when it was never evaluated."""

    configuration: dict
    weight: float = 1.0
    trial: int | None = None


@dataclass(frozen=True)
class Ensemble:
    """What a selector makes of a pool: members (tuple of Member) and `combine` (`ensembles.combine`)."""

    members: tuple
    combine: Callable = vote

    @classmethod
    def single(cls, configuration, trial=None):
        """The ensemble of one member."""
        return cls((Member(configuration, trial=trial),), only)

    def combined(self, predictions, rng):
        """Predictions (n[, n_classes]) of the ensemble, of those of its members (n_members, n[, n_classes])."""
        return self.combine(predictions, np.array([member.weight for member in self.members]), rng)
