"""SMAC's local search: move to the first improving neighbour, in random order, until there is none."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from bayes_hpo.acquisition.local_search import hill_climb
from bayes_hpo.configuration.limits import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt
from bayes_hpo.contracts import Criterion, EvaluatedPoints
from bayes_hpo.spaces.parameters import Category
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True)
class FirstImprovement:
    """Hill climbing from the best trial and from the best candidates (docs/decisions.md, D5.14).

    n_starts: number of runs, including the one from the best trial.
    draws: number of neighbours per numerical coordinate, drawn from a normal distribution around it truncated to the
        cube.
    deviation: standard deviation of this distribution, in units of the cube.
    threshold: minimum gain of a step.
    steps: maximum number of steps per run.
    """

    n_starts: PositiveInt
    draws: PositiveInt
    deviation: PositiveFloat
    threshold: NonNegativeFloat
    steps: NonNegativeInt

    def __call__(
        self, criterion: Criterion, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator
    ) -> NDArray:
        """The best point (d,) of the candidates (m, d) and the ends of the runs, evaluated points excluded (D5.12).

        Ties go to the first: where the criterion is flat, to the first candidate.
        """
        values = criterion.values(candidates)
        best = np.argsort(-values, kind="stable")[: self.n_starts - 1]
        starts = np.concatenate([evaluated.best[None], candidates[best]])
        ends, end_values = hill_climb(
            criterion,
            starts,
            criterion.values(starts),
            lambda point: self.neighbours(evaluated.space, point, rng),
            self.threshold,
            self.steps,
            choose=first,
        )
        points = np.concatenate([candidates, ends])
        return points[np.argmax(np.where(evaluated.contains(points), -np.inf, np.append(values, end_values)))]

    def neighbours(self, space: Space, point: NDArray, rng: Generator) -> NDArray:
        """Points (m, d), imputed, that differ from the imputed `point` (d,) in one active coordinate, in random order.

        A number or an ordered category moves to values drawn near it, if they differ; a category to every other choice.
        """
        near = space.neighbours(point, lambda p, u: self._neighbours_of(p, u, rng))
        return rng.permutation(near[(near != point).any(axis=1)])

    def _neighbours_of(self, p, u, rng):
        """Coordinates of the neighbours of the coordinate u of a hyperparameter p."""
        if isinstance(p, Category) and not p.ordered:
            return p.neighbours(u)
        # inverse transform of the truncated normal: u + deviation Phi^-1(v), v uniform on [Phi(low), Phi(high)]
        low, high = ndtr([-u / self.deviation, (1 - u) / self.deviation])
        drawn = u + self.deviation * ndtri(low + (high - low) * rng.random(self.draws))
        return np.clip(drawn, 0, 1)  # rounding may leave the cube


def first(values: NDArray, bar: float) -> int:
    """Index of the first of the values (m,) that exceeds the bar."""
    return int((values > bar).argmax())
