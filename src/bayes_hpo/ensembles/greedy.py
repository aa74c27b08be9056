"""Forward selection of an ensemble from a pool (Caruana et al. 2004; thesis, 4.1; Lévesque et al. 2016, 2.1)."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt, Range
from bayes_hpo.ensembles.losses import EnsembleLoss, zero_one
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.seeds import Seeds

Share = Annotated[float, Range(gt=0, le=1)]


class Path(NamedTuple):
    """The steps of a selection.

    trials (size,): the member that each step has added. losses (size,): of the ensemble after each step.
    """

    trials: NDArray
    losses: NDArray


@dataclass(frozen=True, kw_only=True)
class Greedy:
    """Begins with the best single models, then adds the model with which the ensemble is best (eq. 4.1).

    size: steps, and members; one that is chosen twice has two votes.
    first: single models to begin with, different trials (D24); fewer where fewer have finished.
    loss: of the ensemble, by which a step chooses; ties as D22.
    """

    size: PositiveInt
    first: PositiveInt = 1
    loss: EnsembleLoss = zero_one

    def path(self, votes: StoredVotes, seeds: Seeds) -> Path:
        """The steps of the selection from all finished trials. Raises: EmptyPoolError when there are none."""
        pool = np.flatnonzero(votes.finished)
        if not len(pool):
            raise EmptyPoolError(f"none of the {len(votes)} trials of this pool has finished")
        trials = self.grown(votes, pool, seeds)
        losses = [votes.loss(self.loss, trials[: step + 1]) for step in range(len(trials))]
        return Path(np.array(trials), np.array(losses))

    def grown(self, votes: StoredVotes, pool: NDArray, seeds: Seeds) -> list[int]:
        """The members in the order in which they are chosen from the trials of a pool (k,)."""
        best = pool[votes.losses[pool].argsort(kind="stable")]
        members = best[: min(self.first, self.size)].tolist()
        while len(members) < self.size:
            members.append(votes.best(members, self.candidates(members, pool, seeds), self.loss))
        return members

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        """Trials of the pool (k,) among which the next step chooses: all, members included."""
        return pool


class WithoutReplacement(Greedy):
    """Every trial is chosen once at most (D24, a variant)."""

    def grown(self, votes: StoredVotes, pool: NDArray, seeds: Seeds) -> list[int]:
        """As `Greedy.grown`. Raises: RunError for more members than trials."""
        if self.size > len(pool):
            raise RunError(
                f"size={self.size} members without replacement need as many finished trials, and this pool has "
                f"{len(pool)}; lower size"
            )
        return super().grown(votes, pool, seeds)

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        return np.setdiff1d(pool, members)


@dataclass(frozen=True, kw_only=True)
class Bagged(Greedy):
    """Every step chooses from a share of the pool that is drawn for it (thesis, figure 4.1; D24)."""

    share: Share = 0.66

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        return drawn(pool, self.share, seeds("step_bag", len(members)))


@dataclass(frozen=True, kw_only=True)
class Bags(Greedy):
    """Selections of `size` steps each, one from every bag, that vote together (Caruana et al. 2004; D24, a variant).

    bags: their number. share: of the pool in each.
    """

    bags: PositiveInt = 20
    share: Share = 0.5

    def grown(self, votes: StoredVotes, pool: NDArray, seeds: Seeds) -> list[int]:
        bags = [drawn(pool, self.share, seeds("bag", bag)) for bag in range(self.bags)]
        return [member for bag in bags for member in super(Bags, self).grown(votes, bag, seeds)]


def drawn(pool: NDArray, share: float, rng: Generator) -> NDArray:
    """A share of the trials of a pool (k,), one at least, without replacement and in order."""
    size = max(1, round(share * len(pool)))
    return np.sort(rng.choice(pool, size, replace=False))
