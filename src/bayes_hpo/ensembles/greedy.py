"""Forward selection of an ensemble from a pool (Caruana et al. 2004; thesis, 4.1; Lévesque et al. 2016, 2.1)."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt, Range
from bayes_hpo.ensembles.losses import EnsembleLoss, zero_one
from bayes_hpo.ensembles.votes import Members
from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.seeds import Seeds

Share = Annotated[float, Range(gt=0, le=1)]


class Stored(Protocol):
    """Stored predictions of the trials of a search: `StoredVotes`, `StoredProbabilities`."""

    @property
    def finished(self) -> NDArray: ...  # (n_trials,) whether a trial has finished

    @property
    def losses(self) -> NDArray: ...  # (n_trials,) mean validation loss of each single trial

    def __len__(self) -> int: ...

    def loss(self, loss: Any, members: Members) -> float:
        """Loss of the ensemble of the members, at least one."""
        ...

    def best(self, members: Members, candidates: NDArray, *losses: Any) -> int:
        """The candidate in (t,), t > 0, that minimizes the loss of the members plus that candidate."""
        ...


class Path(NamedTuple):
    """The steps of a selection.

    trials (size,): the member added at each step.
    losses (size,): loss of the ensemble after each step.
    """

    trials: NDArray
    losses: NDArray


@dataclass(frozen=True, kw_only=True)
class Forward:
    """Forward selection from the empty ensemble: each step adds the model that minimizes its loss (eq. 4.1).

    size: number of steps, hence of members; a member chosen twice counts twice.
    loss: ensemble loss that each step minimizes.
    """

    size: PositiveInt
    loss: EnsembleLoss = zero_one

    def path(self, stored: Stored, seeds: Seeds) -> Path:
        """The steps of the selection from all finished trials. Raises: EmptyPoolError if there are none."""
        pool = np.flatnonzero(stored.finished)
        if not len(pool):
            raise EmptyPoolError(f"none of the {len(stored)} trials of this pool has finished")
        trials = self.grown(stored, pool, seeds)
        losses = [stored.loss(self.loss, trials[: step + 1]) for step in range(len(trials))]
        return Path(np.array(trials), np.array(losses))

    def grown(self, stored: Stored, pool: NDArray, seeds: Seeds) -> list[int]:
        """Members, in the order of their selection, from the trials of a pool (k,)."""
        members = self.start(stored, pool)
        while len(members) < self.size:
            members.append(stored.best(members, self.candidates(members, pool, seeds), self.loss))
        return members

    def start(self, stored: Stored, pool: NDArray) -> list[int]:
        """Members before the first step."""
        return []

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        """Trials of the pool (k,) from which the next step chooses: all of them, including members."""
        return pool


@dataclass(frozen=True, kw_only=True)
class Greedy(Forward):
    """Forward selection that starts with the best single models.

    first: number of different trials to start with (D24); fewer if fewer have finished. Ties are broken as in D22.
    """

    first: PositiveInt = 1

    def start(self, stored: Stored, pool: NDArray) -> list[int]:
        best = pool[stored.losses[pool].argsort(kind="stable")]
        return best[: min(self.first, self.size)].tolist()


class WithoutReplacement(Greedy):
    """Greedy selection that chooses every trial at most once (D24, a variant)."""

    def grown(self, stored: Stored, pool: NDArray, seeds: Seeds) -> list[int]:
        """As `Greedy.grown`. Raises: RunError for more members than trials."""
        if self.size > len(pool):
            raise RunError(
                f"size={self.size} members without replacement need as many finished trials, and this pool has "
                f"{len(pool)}; lower size"
            )
        return super().grown(stored, pool, seeds)

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        return np.setdiff1d(pool, members)


@dataclass(frozen=True, kw_only=True)
class Bagged(Greedy):
    """Greedy selection in which every step chooses from a random fraction of the pool (thesis, figure 4.1; D24)."""

    share: Share = 0.66

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        return drawn(pool, self.share, seeds("step_bag", len(members)))


@dataclass(frozen=True, kw_only=True)
class Bags(Greedy):
    """Greedy selections of `size` steps, one per bag, whose members all vote (Caruana et al. 2004; D24, a variant).

    bags: number of bags.
    share: fraction of the pool in each bag.
    """

    bags: PositiveInt = 20
    share: Share = 0.5

    def grown(self, stored: Stored, pool: NDArray, seeds: Seeds) -> list[int]:
        bags = [drawn(pool, self.share, seeds("bag", bag)) for bag in range(self.bags)]
        return [member for bag in bags for member in super(Bags, self).grown(stored, bag, seeds)]


class RandomTies(Forward):
    """Forward selection with ties broken at random (D13 of DivBO): each step sees the candidates in random order.

    The order of two trials in a step does not depend on other trials, so only a trial that is selected changes the
    ensemble.
    """

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        places = seeds("tied_candidates", len(members)).random(pool.max() + 1)  # longer draws start alike
        return pool[places[pool].argsort()]


class Distinct(RandomTies):
    """`RandomTies` without replacement; if there are fewer trials than `size`, all become members (D25 of DivBO)."""

    def grown(self, stored: Stored, pool: NDArray, seeds: Seeds) -> list[int]:
        return super(Distinct, replace(self, size=min(self.size, len(pool)))).grown(stored, pool, seeds)

    def candidates(self, members: list[int], pool: NDArray, seeds: Seeds) -> NDArray:
        return super().candidates(members, np.setdiff1d(pool, members), seeds)


def drawn(pool: NDArray, share: float, rng: Generator) -> NDArray:
    """A random fraction of the trials of a pool (k,), at least one, without replacement and in order."""
    size = max(1, round(share * len(pool)))
    return np.sort(rng.choice(pool, size, replace=False))
