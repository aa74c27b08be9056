"""The maximizers of a criterion over the unit cube: the best candidate, or the best of several gradient refinements.

Each is a `Maximizer`: called with a criterion (`criteria.Integrated`), candidates (m, d), the evaluated points and a
Generator, it returns a point (d,).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.acquisition.criteria import Integrated
from bayes_hpo.acquisition.evaluated import ExcludeEvaluated
from bayes_hpo.acquisition.refinement import refine
from bayes_hpo.acquisition.screening import screen
from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.contracts import Criterion, EvaluatedPoints


def best_candidate(criterion: Integrated, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
    """Candidate (d,) with the highest value of the criterion; the first of equals wins."""
    return best_candidates(criterion, candidates, 1)[0][0]


def best_sample(criterion: Criterion, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
    """Candidate (d,) of the highest value, in double precision, among those not evaluated (thesis, 5.5; D5.12)."""
    return candidates[np.argmax(ExcludeEvaluated(criterion, evaluated).values(candidates))]


@dataclass(frozen=True)
class GradientRefinement:
    """Multi-start gradient refinement of the best candidates (docs/decisions.md, Spearmint).

    n_starts: how many of them; for none there is `best_candidate`.
    """

    n_starts: PositiveInt

    def __call__(
        self, criterion: Integrated, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator
    ) -> NDArray:
        """Point (d,) of the highest local maximum reached from the candidates (m, d); the first of equals wins."""
        smooth = criterion.for_gradients()
        starts, unit = best_candidates(smooth, candidates, self.n_starts)
        ends, values = refine(smooth, starts, unit=unit)
        return ends[np.argmax(values)]


def best_candidates(criterion: Integrated, candidates: NDArray, count: int) -> tuple[NDArray, float]:
    """The `count` candidates (count, d) of highest value, highest first, and the unit of the values.

    Twice as many are screened in single precision, and those are ranked in double precision.
    """
    rough = screen(criterion, candidates)
    picked = np.sort(np.argsort(-rough, kind="stable")[: 2 * count])
    exact = criterion.values(candidates[picked])
    return candidates[picked[np.argsort(-exact, kind="stable")[:count]]], criterion.unit(rough)
