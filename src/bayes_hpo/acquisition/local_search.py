"""Local search over the neighbours of configurations: a maximiser for spaces with conditions (thesis, 5.3.2)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.acquisition.tried import Untried
from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class LocalSearch:
    """Climbs from the best trial and from the best candidates to ever better neighbours (thesis, eq. 5.8; D5.7).

    starts: how many climbs, that from the best trial among them. threshold: the least gain that is a step. steps: the
    most that a climb takes. All climbs go on together, so that each step is one call of the criterion.
    Raises: UserError for a setting that is too low.
    """

    starts: int
    threshold: float
    steps: int

    def __post_init__(self):
        if self.starts < 1 or self.steps < 0 or not self.threshold >= 0:
            raise UserError(
                f"starts={self.starts} must be at least 1, steps={self.steps} and threshold={self.threshold:g} "
                "at least 0"
            )

    def __call__(self, criterion, candidates, tried, rng):
        """Point (d,) where the highest climb ends; never one that was tried, while a climb meets others (D5.12)."""
        untried = Untried(criterion, tried)
        values = untried.values(candidates)
        best = np.argsort(-values, kind="stable")[: self.starts - 1]
        points = np.concatenate([candidates[best], tried.best[None]])
        values = np.append(values[best], untried.values(tried.best[None]))
        points, values = climb(untried, points, values, tried.space.neighbours, self.threshold, self.steps)
        return points[np.argmax(values)]


def steepest(values, bar):
    """The place of the highest of the values (m,)."""
    return values.argmax()


def climb(criterion, points, values, neighbours, threshold, steps, choose=steepest):
    """Ends (k, d) of the climbs from `points` (k, d), and their values (k,), none lower than it was.

    neighbours(point (d,)) -> (m, d). A climb ends where no neighbour is better by more than the threshold.
    choose(values (m,), bar) -> which neighbour is next, if its value is above the bar; it finds one if there is one.
    """
    points, values = points.copy(), values.copy()
    running = list(range(len(points)))
    for _ in range(steps):
        near = [neighbours(points[run]) for run in running]
        if not sum(map(len, near)):
            break
        found = np.split(criterion.values(np.concatenate(near)), np.cumsum([len(part) for part in near])[:-1])
        moved = []
        for run, part, theirs in zip(running, near, found, strict=True):
            bar = values[run] + threshold
            if len(part) and theirs[chosen := choose(theirs, bar)] > bar:
                points[run], values[run] = part[chosen], theirs[chosen]
                moved.append(run)
        running = moved
        if not running:
            break
    return points, values
