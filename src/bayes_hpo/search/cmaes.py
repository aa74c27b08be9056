"""CMA-ES: DEAP's plain (mu, lambda) comma strategy on the unit cube (Hansen 2005; D6, D15)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat, Range
from bayes_hpo.pool import History, Proposal
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True)
class Constants:
    """The strategy's constants for d dimensions, `offspring` points a generation and their better half as parents.

    The defaults of Hansen's tutorial as DEAP has them (D15).
    """

    d: int
    offspring: int

    # w_i = (log(mu + 1/2) - log i) / sum over the mu parents
    @cached_property
    def weights(self) -> NDArray:
        """Recombination weights (parents,), best first, summing to one."""
        parents = self.offspring // 2
        raw = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
        return raw / raw.sum()

    @cached_property
    def mu_eff(self) -> float:
        """Variance-effective number of parents, 1 / sum of w_i^2."""
        return 1 / (self.weights**2).sum()

    @cached_property
    def c_sigma(self) -> float:
        """Learning rate of the path of the step size."""
        return (self.mu_eff + 2) / (self.d + self.mu_eff + 3)

    @cached_property
    def damps(self) -> float:
        """Damping d_sigma of the step size."""
        return 1 + 2 * max(0, np.sqrt((self.mu_eff - 1) / (self.d + 1)) - 1) + self.c_sigma

    @cached_property
    def c_c(self) -> float:
        """Learning rate of the path of the covariance."""
        return 4 / (self.d + 4)

    @cached_property
    def c_1(self) -> float:
        """Learning rate of the rank-one update."""
        return 2 / ((self.d + 1.3) ** 2 + self.mu_eff)

    @cached_property
    def c_mu(self) -> float:
        """Learning rate of the rank-mu update."""
        limit = 2 * (self.mu_eff - 2 + 1 / self.mu_eff) / ((self.d + 2) ** 2 + self.mu_eff)
        return min(1 - self.c_1, limit)

    @cached_property
    def chi_n(self) -> float:
        """Expected length of a standard normal vector."""
        return np.sqrt(self.d) * (1 - 1 / (4 * self.d) + 1 / (21 * self.d**2))


@dataclass(frozen=True)
class Strategy:
    """The search distribution N(centroid, sigma^2 C) and its two evolution paths after `generation` updates."""

    constants: Constants
    centroid: NDArray  # (d,)
    sigma: float
    C: NDArray  # (d, d)
    path_sigma: NDArray  # (d,)
    path_c: NDArray  # (d,)
    generation: int = 0

    @classmethod
    def start(cls, constants: Constants, centre: float, sigma: float) -> "Strategy":
        """Identity covariance around (centre, ..., centre)."""
        zero = np.zeros(constants.d)
        return cls(constants, zero + centre, sigma, np.eye(constants.d), zero, zero)

    @cached_property
    def axes(self) -> tuple[NDArray, NDArray]:
        """Eigenvectors B (d, d) of C as columns, and the standard deviations (d,) along them."""
        variances, B = np.linalg.eigh(self.C)
        return B, np.sqrt(variances)

    def points(self, z: NDArray) -> NDArray:
        """Points (offspring, d) of standard normal draws z (offspring, d)."""
        B, deviations = self.axes
        # x = m + sigma B D z
        return self.centroid + self.sigma * z @ (B * deviations).T

    def update(self, points: NDArray, losses: NDArray) -> "Strategy":
        """The strategy after a generation: points (offspring, d), losses (offspring,); the first of equals wins."""
        k = self.constants
        # m' = sum of w_i x_i over the parents, best first
        best = points[np.argsort(losses, kind="stable")[: len(k.weights)]]
        centroid = k.weights @ best
        step = (centroid - self.centroid) / self.sigma
        # p_sigma' = (1 - c_sigma) p_sigma + sqrt(c_sigma (2 - c_sigma) mu_eff) C^(-1/2) (m' - m) / sigma
        B, deviations = self.axes
        path_sigma = (1 - k.c_sigma) * self.path_sigma
        path_sigma = path_sigma + np.sqrt(k.c_sigma * (2 - k.c_sigma) * k.mu_eff) * B @ ((B.T @ step) / deviations)
        # h_sigma = 0 stalls p_c while p_sigma is longer than (1.4 + 2 / (d + 1)) E|N(0, I)|
        length = np.linalg.norm(path_sigma)
        expected = np.sqrt(1 - (1 - k.c_sigma) ** (2 * (self.generation + 1))) * k.chi_n
        h_sigma = float(length / expected < 1.4 + 2 / (k.d + 1))
        # p_c' = (1 - c_c) p_c + h_sigma sqrt(c_c (2 - c_c) mu_eff) (m' - m) / sigma
        path_c = (1 - k.c_c) * self.path_c + h_sigma * np.sqrt(k.c_c * (2 - k.c_c) * k.mu_eff) * step
        # C' = kept C + c_1 p_c p_c' + c_mu sum of w_i y_i y_i', y_i = (x_i - m) / sigma, where
        # kept = 1 - c_1 - c_mu + (1 - h_sigma) c_1 c_c (2 - c_c)
        spread = (best - self.centroid) / self.sigma  # (parents, d)
        kept = 1 - k.c_1 - k.c_mu + (1 - h_sigma) * k.c_1 * k.c_c * (2 - k.c_c)
        C = kept * self.C + k.c_1 * np.outer(path_c, path_c) + k.c_mu * (k.weights * spread.T) @ spread
        # sigma' = sigma exp((|p_sigma| / E|N(0, I)| - 1) c_sigma / d_sigma)
        sigma = self.sigma * np.exp((length / k.chi_n - 1) * k.c_sigma / k.damps)
        return replace(
            self,
            centroid=centroid,
            sigma=sigma,
            C=C,
            path_sigma=path_sigma,
            path_c=path_c,
            generation=self.generation + 1,
        )


@dataclass(frozen=True)
class CMAES:
    """CMA-ES as a searcher; a generation is a round, so reshuffled splits are drawn once per generation (D6).

    space: search space, encoded in the unit cube.
    centre: initial mean, in every coordinate of the cube.
    sigma: initial step size, in units of the cube.
    offspring: points a generation (lambda).
    A point outside the cube is evaluated and stored clipped to it; the update uses the point as drawn (D6).
    """

    space: Space
    centre: float
    sigma: PositiveFloat
    offspring: Annotated[int, Range(ge=2)]

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose member t mod lambda of generation t // lambda. The strategy is replayed from the history's losses."""
        generation, member = divmod(len(history), self.offspring)
        strategy = self._replayed(history.losses[: generation * self.offspring], seeds)
        point = strategy.points(self._draws(generation, seeds))[member]
        return Proposal(self.space.decode(np.clip(point, 0, 1)), round=generation)

    def _replayed(self, losses, seeds):
        strategy = Strategy.start(Constants(len(self.space), self.offspring), self.centre, self.sigma)
        # draws are reproducible by name, so the state of the strategy follows from the losses alone
        for generation, generation_losses in enumerate(losses.reshape(-1, self.offspring)):
            points = strategy.points(self._draws(generation, seeds))
            strategy = strategy.update(points, generation_losses)
        return strategy

    def _draws(self, generation, seeds):
        return seeds("generation", generation).standard_normal((self.offspring, len(self.space)))
