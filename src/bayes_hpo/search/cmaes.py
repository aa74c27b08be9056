"""CMA-ES: DEAP's plain (mu, lambda) comma strategy on the unit cube (Hansen 2005; D6, D15)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat, Range
from bayes_hpo.pool import History, Proposal
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space


class Constants(NamedTuple):
    """Constants of the strategy in d dimensions: the defaults of Hansen's tutorial, as implemented in DEAP (D15).

    weights (n_parents,): recombination weights, best parent first; they sum to 1.
    mu_eff: variance-effective number of parents.
    c_sigma, damps: learning rate and damping d_sigma of the step size.
    c_c: learning rate of the evolution path of the covariance.
    c_1, c_mu: learning rates of the rank-one and the rank-mu update of the covariance.
    chi_n: expected length E|N(0, I)| of a standard normal vector.
    """

    d: int
    weights: NDArray
    mu_eff: float
    c_sigma: float
    damps: float
    c_c: float
    c_1: float
    c_mu: float
    chi_n: float

    @classmethod
    def of(cls, d: int, offspring: int) -> "Constants":
        """The constants for `offspring` points (d,) per generation, the better half of which are parents."""
        # w_i proportional to log(mu + 1/2) - log i, i = 1, ..., mu; mu_eff = 1 / sum of w_i^2 (DEAP's mueff)
        n_parents = offspring // 2
        raw = np.log(n_parents + 0.5) - np.log(np.arange(1, n_parents + 1))
        weights = raw / raw.sum()
        mu_eff = 1 / (weights**2).sum()
        # DEAP's cs and damps
        c_sigma = (mu_eff + 2) / (d + mu_eff + 3)
        damps = 1 + 2 * max(0, np.sqrt((mu_eff - 1) / (d + 1)) - 1) + c_sigma
        # DEAP's cc, ccov1 and ccovmu
        c_c, c_1 = 4 / (d + 4), 2 / ((d + 1.3) ** 2 + mu_eff)
        c_mu = min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((d + 2) ** 2 + mu_eff))
        # DEAP's chiN, Hansen's approximation of E|N(0, I)| = sqrt(2) Gamma((d + 1) / 2) / Gamma(d / 2)
        chi_n = np.sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d**2))
        return cls(d, weights, mu_eff, c_sigma, damps, c_c, c_1, c_mu, chi_n)


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
        """Initial strategy: mean (centre, ..., centre), identity covariance (d, d)."""
        zero = np.zeros(constants.d)
        return cls(constants, zero + centre, sigma, np.eye(constants.d), zero, zero)

    @cached_property
    def axes(self) -> tuple[NDArray, NDArray]:
        """Eigenvectors B (d, d) of C = B D^2 B', in columns, and the standard deviations D (d,) along them."""
        variances, B = np.linalg.eigh(self.C)
        return B, np.sqrt(variances)

    def points(self, z: NDArray) -> NDArray:
        """Points x = m + sigma B D z (offspring, d) for standard normal draws z (offspring, d)."""
        B, deviations = self.axes
        return self.centroid + self.sigma * z @ (B * deviations).T

    def update(self, points: NDArray, losses: NDArray) -> "Strategy":
        """The strategy after a generation of points (offspring, d) with losses (offspring,).

        Equal losses are ranked in the order of the points. Source: Hansen, The CMA Evolution Strategy: A Tutorial, as
        implemented in DEAP.
        """
        k = self.constants
        # m' = sum_i w_i x_i over the parents, best first
        best = points[np.argsort(losses, kind="stable")[: len(k.weights)]]
        centroid = k.weights @ best
        step = (centroid - self.centroid) / self.sigma
        # p_sigma' = (1 - c_sigma) p_sigma + sqrt(c_sigma (2 - c_sigma) mu_eff) C^(-1/2) (m' - m) / sigma
        B, deviations = self.axes
        path_sigma = (1 - k.c_sigma) * self.path_sigma
        path_sigma = path_sigma + np.sqrt(k.c_sigma * (2 - k.c_sigma) * k.mu_eff) * B @ ((B.T @ step) / deviations)
        # h_sigma = 0 stalls p_c while |p_sigma| / sqrt(1 - (1 - c_sigma)^(2 (g + 1))) >= (1.4 + 2 / (d + 1)) E|N(0, I)|
        length = np.linalg.norm(path_sigma)
        expected = np.sqrt(1 - (1 - k.c_sigma) ** (2 * (self.generation + 1))) * k.chi_n
        h_sigma = float(length / expected < 1.4 + 2 / (k.d + 1))
        # p_c' = (1 - c_c) p_c + h_sigma sqrt(c_c (2 - c_c) mu_eff) (m' - m) / sigma
        path_c = (1 - k.c_c) * self.path_c + h_sigma * np.sqrt(k.c_c * (2 - k.c_c) * k.mu_eff) * step
        # C' = kept C + c_1 p_c p_c^T + c_mu sum_i w_i y_i y_i^T, y_i = (x_i - m) / sigma,
        # kept = 1 - c_1 - c_mu + (1 - h_sigma) c_1 c_c (2 - c_c)
        steps = (best - self.centroid) / self.sigma  # (n_parents, d)
        kept = 1 - k.c_1 - k.c_mu + (1 - h_sigma) * k.c_1 * k.c_c * (2 - k.c_c)
        C = kept * self.C + k.c_1 * np.outer(path_c, path_c) + k.c_mu * (k.weights * steps.T) @ steps
        # sigma' = sigma exp((|p_sigma| / E|N(0, I)| - 1) c_sigma / d_sigma)
        sigma = self.sigma * np.exp((length / k.chi_n - 1) * k.c_sigma / k.damps)
        return Strategy(k, centroid, sigma, C, path_sigma, path_c, self.generation + 1)


@dataclass(frozen=True)
class CMAES:
    """CMA-ES as a searcher; a generation is a round, so reshuffled splits are drawn once per generation (D6).

    space: search space, encoded in the unit cube.
    centre: initial mean, the same in every coordinate of the cube.
    sigma: initial step size, in units of the cube.
    offspring: number of points per generation (lambda).
    A point outside the cube is clipped to it for evaluation and storage; the update uses the unclipped point (D6).
    """

    space: Space
    centre: float
    sigma: PositiveFloat
    offspring: Annotated[int, Range(ge=2)]

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose member t mod lambda of generation t // lambda, t = len(history).

        The strategy is replayed from the losses of the history.
        """
        generation, member = divmod(len(history), self.offspring)
        strategy = self._replayed(history.losses[: generation * self.offspring], seeds)
        point = strategy.points(self._draws(generation, seeds))[member]
        return Proposal(self.space.decode(np.clip(point, 0, 1)), round=generation)

    def _replayed(self, losses, seeds):
        strategy = Strategy.start(Constants.of(len(self.space), self.offspring), self.centre, self.sigma)
        # draws are reproducible by name, so the losses alone determine the state of the strategy
        for generation, generation_losses in enumerate(losses.reshape(-1, self.offspring)):
            points = strategy.points(self._draws(generation, seeds))
            strategy = strategy.update(points, generation_losses)
        return strategy

    def _draws(self, generation, seeds):
        return seeds("generation", generation).standard_normal((self.offspring, len(self.space)))
