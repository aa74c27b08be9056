"""Candidates sampled from the whole space and around the best trials (Shen et al. 2022, A.4; D21)."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from bayes_hpo.acquisition.candidates import MOST, ImputedSamples
from bayes_hpo.configuration.limits import PositiveFloat, Range
from bayes_hpo.contracts import EvaluatedPoints
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.exchange import exchanges
from bayes_hpo.spaces.parameters import Category

Count = Annotated[int, Range(ge=1, le=MOST)]


@dataclass(frozen=True)
class LocalSamples(ImputedSamples):
    """`size` random samples of the space, and samples around the best trials, new ones for every trial.

    best: number of trials around which samples are drawn.
    neighbours: number of samples around each of them; they differ in one hyperparameter, and in those it activates.
    deviation: standard deviation of a numerical step, in units of the cube.
    """

    best: Count
    neighbours: Count
    deviation: PositiveFloat

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t of the initial design: that of random search (D20)."""
        return evaluated.space.draw(1, seeds("proposal", t))[0]

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        """Candidates (m, d) not yet evaluated; all of them if every one has been.

        They are in random order, so that ties between candidates are broken at random (D16).
        """
        best = evaluated.points[: self.best]
        around = exchanges(evaluated.space, best, self.neighbours, self.step, rng)
        points = np.concatenate([super().generate(evaluated, rng), around])
        new = points[~evaluated.contains(points)]
        return rng.permutation(new if len(new) else points)

    def step(self, parameter: Any, u: float, rng: Generator) -> float:
        """Draw a coordinate near u: a truncated normal step of a number, any other choice of a category."""
        if isinstance(parameter, Category) and not parameter.ordered:
            return float(rng.choice(parameter.neighbours(u)))
        # inverse transform of the truncated normal: u + deviation Phi^-1(v), v uniform on [Phi(low), Phi(high)]
        low, high = ndtr([-u / self.deviation, (1 - u) / self.deviation])
        return float(np.clip(u + self.deviation * ndtri(rng.uniform(low, high)), 0, 1))
