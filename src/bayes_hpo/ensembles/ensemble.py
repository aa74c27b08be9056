"""An ensemble: members with weights, and the majority vote that combines them; a single model is an ensemble of one."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Member:
    """A configuration with its weight in the vote; trial is its index in the pool, None when it was never tried."""

    configuration: dict
    weight: float = 1.0
    trial: int | None = None


@dataclass(frozen=True)
class Ensemble:
    """What a selector makes of a pool."""

    members: tuple

    @classmethod
    def single(cls, configuration, trial=None):
        """The ensemble of one member."""
        return cls((Member(configuration, trial=trial),))

    def vote(self, labels, rng):
        """Labels (n,) that most of the weight votes for.

        labels (n_members, n): class numbers from 0. rng gives one number per row, which decides among the classes that
        lead in it: a tie falls alike for all methods of a repetition (thesis, 4.3.3; D21).
        """
        weights = np.array([member.weight for member in self.members])
        votes = np.zeros((int(labels.max()) + 1, labels.shape[1]))  # (n_classes, n)
        for member_labels, weight in zip(labels, weights, strict=True):
            votes[member_labels, np.arange(labels.shape[1])] += weight
        leads = votes >= votes.max(axis=0) * (1 - 1e-9)  # sums of the same weights may differ by a rounding error
        winner = (rng.random(labels.shape[1]) * leads.sum(axis=0)).astype(int)  # (n,) which of those that lead
        return (leads & (leads.cumsum(axis=0) == winner + 1)).argmax(axis=0)
