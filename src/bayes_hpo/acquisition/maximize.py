"""Maximizers of a criterion over the unit cube: the best candidate, or multi-start gradient refinement.

Each implements `Maximizer`: given a criterion (`criteria.Integrated`), candidates (m, d), the evaluated points and a
Generator, it returns a point (d,).
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.linalg import blas

from bayes_hpo.acquisition.criteria import Integrated
from bayes_hpo.acquisition.evaluated import ExcludeEvaluated
from bayes_hpo.acquisition.refinement import refine
from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.contracts import Criterion, EvaluatedPoints
from bayes_hpo.errors import UserError
from bayes_hpo.surrogates.gp.regression import NUGGET, Posterior

COVARIANCES = 60_000  # per chunk of candidates, in single precision: they stay in the processor's cache


def best_candidate(criterion: Integrated, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
    """Candidate (d,) with the highest value of the criterion; the first of equals wins."""
    return best_candidates(criterion, candidates, 1)[0][0]


def best_sample(criterion: Criterion, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
    """The candidate (d,) not yet evaluated with the highest value, in double precision (thesis, 5.5; D5.12)."""
    return candidates[np.argmax(ExcludeEvaluated(criterion, evaluated).values(candidates))]


@dataclass(frozen=True)
class GradientRefinement:
    """Multi-start gradient refinement of the best candidates (docs/decisions.md, Spearmint).

    n_starts: number of candidates that are refined; for none, use `best_candidate`.
    """

    n_starts: PositiveInt

    def __call__(
        self, criterion: Integrated, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator
    ) -> NDArray:
        """The highest local maximum (d,) reached from the candidates (m, d); the first of equals wins."""
        ends, values = self.refined(criterion.for_gradients(), candidates)
        return ends[np.argmax(values)]

    def refined(self, smooth: Integrated, candidates: NDArray) -> tuple[NDArray, NDArray]:
        """Local maxima (s, d) of a criterion whose gradients do not vanish, and their values (s,)."""
        starts, unit = best_candidates(smooth, candidates, self.n_starts)
        return refine(smooth, starts, unit=unit)


class NewRefinement(GradientRefinement):
    """Gradient refinement over new configurations; the best candidate if every local maximum was evaluated (D11)."""

    def __call__(
        self, criterion: Integrated, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator
    ) -> NDArray:
        """The highest local maximum (d,), rounded to a configuration, that has not been evaluated."""
        ends, _ = self.refined(criterion.for_gradients(), candidates)
        points = evaluated.space.impute(evaluated.space.round_to_grid(ends))
        if evaluated.contains(points).all():
            return best_sample(criterion, candidates, evaluated, rng)
        return best_sample(criterion, points, evaluated, rng)


def best_candidates(criterion: Integrated, candidates: NDArray, count: int) -> tuple[NDArray, float]:
    """The `count` candidates (count, d) of highest value, highest first, and the unit of the values.

    Twice as many are selected in single precision and ranked in double precision.
    """
    rough = screen(criterion, candidates)
    picked = np.sort(np.argsort(-rough, kind="stable")[: 2 * count])
    exact = criterion.values(candidates[picked])
    return candidates[picked[np.argsort(-exact, kind="stable")[:count]]], criterion.unit(rough)


def screen(criterion: Integrated, candidates: NDArray) -> NDArray:
    """Values (m,) of the criterion at candidates (m, d), accurate enough to select the best few.

    Computed by sample and chunk, so that memory holds only one value per sample and candidate.
    Raises: UserError for a surrogate without factors in single precision (blocks, a forest).
    """
    if not hasattr(criterion.predictive, "whiteners"):
        raise UserError(
            "this model has no candidates in single precision; take maximizer best_sample, local_search or "
            "first_improvement"
        )
    posterior = cast(Posterior, criterion.predictive)
    values = np.empty((len(posterior), len(candidates)), np.float32)
    # single precision: half the memory traffic, seven digits
    points, X = candidates.astype(np.float32), posterior.X.astype(np.float32)
    size = COVARIANCES // len(X) + 1
    for sample in range(len(posterior)):
        for chunk in (slice(first, first + size) for first in range(0, len(points), size)):
            values[sample, chunk] = criterion.acquisition.value(*_moments(posterior, sample, points[chunk], X))
    return criterion.acquisition.average(values)


def _moments(posterior, sample, points, X):
    """Mean (m,) and variance (m,) of one sample at points (m, d), given X (n, d), all in single precision."""
    mean, amplitude, _, *theta = posterior.states[sample].tolist()
    thetas = np.array([theta])
    correlations = posterior.kernel.cross(thetas, points, X)[0]  # (m, n)
    # m(x) = mean + k(x)'(K + noise)^-1 (y - mean) and v(x) = k(x, x) - |L^-1 k(x)|^2  (thesis, eq. 2.6 and 2.7)
    means = correlations @ (amplitude * posterior.weights[sample]).astype(np.float32) + np.float32(mean)
    # BLAS is column-major, so it sees every matrix transposed; strmm multiplies the triangle alone
    whitened = blas.strmm(amplitude, posterior.whiteners[sample].T, correlations.T, lower=0, trans_a=1).T  # (m, n)
    explained = np.einsum("mn,mn->m", whitened, whitened)
    prior = np.float32(amplitude * posterior.kernel.variances(thetas, X.shape[1])[0])
    return means, np.maximum(prior - explained, 0) + np.float32(NUGGET * amplitude)
