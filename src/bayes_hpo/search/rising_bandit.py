"""Rising bandit: arms that cannot catch up with the best are eliminated (Li et al., AAAI 2020; Shen et al. 2022)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt, Range
from bayes_hpo.search.arms import Arms


@dataclass(frozen=True, kw_only=True)
class RisingBandit(Arms):
    """Pulls the surviving arms in turn, round after round (Shen et al. 2022, A.4; D23).

    pull: number of trials per pull.
    alpha: number of rounds before the first elimination, and of rewards from which an arm's slope is computed.
    """

    pull: PositiveInt
    alpha: Annotated[int, Range(ge=2)]

    def turns(self, accuracies: NDArray) -> Iterator[int]:
        """Yield the arm of each trial; the reward of a pull is the best accuracy of the arm so far, in [0, 1]."""
        surviving = list(range(len(self.arms)))
        rewards: dict[int, list[float]] = {arm: [] for arm in surviving}
        t = 0
        while True:
            for arm in surviving:
                yield from [arm] * self.pull
                t += self.pull
                rewards[arm].append(max([*rewards[arm][-1:], *accuracies[t - self.pull : t]], default=0.0))
            surviving = self.survivors({arm: rewards[arm] for arm in surviving}, t)

    def survivors(self, rewards: dict[int, Sequence[float]], t: int) -> list[int]:
        """The arms that survive a complete round: those whose upper bound is not below the highest reward of any arm.

        rewards: arm -> reward after each of its pulls.
        t: number of trials of all arms.
        """
        remaining = (self.budget - t) / self.pull
        if len(next(iter(rewards.values()))) < self.alpha:
            return list(rewards)
        lower = np.array([of_arm[-1] for of_arm in rewards.values()])
        # bounds l = r_last and u = min(1, r_last + slope x remaining pulls),
        # slope = (r_last - r_{last - alpha + 1}) / alpha; arm i stays if u_i >= max_j l_j  (D23)
        slope = (lower - np.array([of_arm[-self.alpha] for of_arm in rewards.values()])) / self.alpha
        upper = np.minimum(1, lower + slope * remaining)
        return [arm for arm, bound in zip(rewards, upper, strict=True) if bound >= lower.max()]
