"""Local search over neighbouring configurations: a maximizer for spaces with conditions (thesis, 5.3.2)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.acquisition.evaluated import ExcludeEvaluated
from bayes_hpo.configuration.limits import NonNegativeFloat, NonNegativeInt, PositiveInt
from bayes_hpo.contracts import Criterion, EvaluatedPoints


@dataclass(frozen=True)
class LocalSearch:
    """Hill climbing over neighbours from the best trial and from the best candidates (thesis, eq. 5.7 and 5.8; D5.7).

    n_starts: number of runs, including the one from the best trial.
    threshold: minimum gain of a step.
    steps: maximum number of steps per run.
    All runs advance together, so that each step is a single call of the criterion.
    """

    n_starts: PositiveInt
    threshold: NonNegativeFloat
    steps: NonNegativeInt

    def __call__(
        self, criterion: Criterion, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator
    ) -> NDArray:
        """End point (d,) of the best run; not an evaluated point if any run visits a new one (D5.12)."""
        # x_{i+1} = argmax a(x) over x_i and its neighbours (thesis, eq. 5.7 and 5.8)
        new = ExcludeEvaluated(criterion, evaluated)
        values = new.values(candidates)
        best = np.argsort(-values, kind="stable")[: self.n_starts - 1]
        points = np.concatenate([candidates[best], evaluated.best[None]])
        values = np.append(values[best], new.values(evaluated.best[None]))
        points, values = hill_climb(new, points, values, evaluated.space.neighbours, self.threshold, self.steps)
        return points[np.argmax(values)]


def steepest(values: NDArray, bar: float) -> int:
    """Index of the highest of the values (m,)."""
    return int(values.argmax())


def hill_climb(
    criterion: Criterion,
    points: NDArray,
    values: NDArray,
    neighbours: Callable[[NDArray], NDArray],
    threshold: float,
    steps: int,
    choose: Callable[[NDArray, float], int] = steepest,
) -> tuple[NDArray, NDArray]:
    """End points (k, d) of hill climbing from `points` (k, d), and their values (k,), none lower than at its start.

    criterion: to be maximized.
    values (k,): values of the criterion at `points`.
    neighbours: point (d,) -> its neighbours (m, d).
    threshold: a run ends where no neighbour gains more than this.
    steps: maximum number of steps per run.
    choose: (values (m,) of the neighbours, bar) -> index of the next point, whose value exceeds the bar if any does.
    """
    points, values = points.copy(), values.copy()
    running = list(range(len(points)))
    for _ in range(steps):
        near = [neighbours(points[run]) for run in running]
        if not sum(map(len, near)):
            break
        # one call for the neighbours of all runs; then the values are divided among the runs
        near_values = np.split(criterion.values(np.concatenate(near)), np.cumsum([len(of_run) for of_run in near])[:-1])
        moved = []
        for run, next_points, next_values in zip(running, near, near_values, strict=True):
            bar = values[run] + threshold
            if len(next_points) and next_values[chosen := choose(next_values, bar)] > bar:
                points[run], values[run] = next_points[chosen], next_values[chosen]
                moved.append(run)
        running = moved
    return points, values
