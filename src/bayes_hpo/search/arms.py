"""Searches with arms: each choice of the root hyperparameter has a search of its own (Shen et al. 2022, 4.1)."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.pool import FINISHED, History, Proposal
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.parameters import Category
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.one_hot import OneHot


@dataclass(frozen=True, kw_only=True)
class ArmSearch(Bayesian):
    """Bayesian optimization within an arm: it can be restricted to a subspace.

    surrogate: one-hot surrogate over the same space.
    """

    surrogate: OneHot

    def within(self, space: Space) -> "ArmSearch":
        """The same search restricted to a subspace."""
        return replace(self, space=space, surrogate=replace(self.surrogate, space=space))


@dataclass(frozen=True, kw_only=True)
class Arms(ABC):
    """A searcher that assigns each trial to an arm; an arm sees its own trials only.

    space: search space. Its arms are the choices of its root, in order; without choices, the whole space is one arm.
    search: the search within an arm.
    budget: total number of trials of all arms.
    """

    space: Space
    search: ArmSearch
    budget: int

    @abstractmethod
    def turns(self, accuracies: NDArray) -> Iterator[int]:
        """Yield the arm of each trial, indefinitely.

        accuracies (t,): accuracies of the trials so far, 0 for a failed one. The arm of a trial depends on earlier
            trials only.
        """

    @property
    def arms(self) -> list[dict]:
        """The fixed value of each arm, root -> choice."""
        root = self.space.parameters[self.space.root]
        return [{self.space.root: choice} for choice in root.choices] if isinstance(root, Category) else [{}]

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose the configuration of trial t = len(history) with the search of its arm, given the arm's trials.

        The proposal has no memory: the points of different arms have different coordinates, so each point is encoded
        from its configuration.
        """
        t = len(history)
        accuracies = np.array([history[k].status == FINISHED and 1 - history[k].loss for k in range(t)], dtype=float)
        *before, now = islice(self.turns(accuracies), t + 1)
        of_arm = History([history[k] for k in range(t) if before[k] == now], history.truth)
        arm = self.arms[now]
        proposal = self.search.within(self.space.fix(arm)).propose(of_arm, _of_arm(seeds, arm))
        return Proposal(proposal.configuration, round=t)


@dataclass(frozen=True, kw_only=True)
class EqualShares(Arms):
    """One trial of each arm in turn (kBO; Shen et al. 2022, A.5)."""

    def turns(self, accuracies: NDArray) -> Iterator[int]:
        return cycle(range(len(self.arms)))


def _of_arm(seeds: Seeds, arm: dict[str, Any]) -> Seeds:
    """The seeds of an arm; no two arms share draws."""
    return replace(seeds, owner=f"{seeds.owner} {arm}")
