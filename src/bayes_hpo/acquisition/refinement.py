"""Local maxima in the unit cube from many starts: one BFGS run per start, all advanced by batched gradients."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.acquisition.criteria import Integrated

FIRST_STEP = 0.02  # length of a run's first step, in units of the cube
MERGED = 0.02  # a run this close to a higher one in every coordinate ends: both lead to the same maximum
TOLERANCE = 5e-7  # a run ends when the predicted or actual gain of a step is below this fraction of the unit
SUFFICIENT = 1e-4  # fraction of the predicted gain that a step must achieve (Armijo's rule)
SHORTENING = 0.25  # factor on the next step after a rejected one
MAX_STEPS = 60
MIN_COSINE = 1e-10  # minimum cosine between a step and the change of the gradient for a curvature update


def refine(criterion: Integrated, starts: NDArray, *, unit: float) -> tuple[NDArray, NDArray]:
    """End points (s, d) of gradient ascents in the cube from starts (s, d), and their values (s,), none below a start.

    criterion.values_and_gradients(points (m, d)) -> (m,), (m, d).
    unit: scale of a meaningful difference between values.
    Every run has its own curvature estimate and step length (Nocedal and Wright 2006, algorithm 6.1). Variables at a
    bound that they would cross are held fixed; a finished run costs nothing. A run may end early where the cube clips
    its step, so only the highest of several runs is meaningful.
    """
    runs = Runs(starts.copy(), *criterion.values_and_gradients(starts))
    active = np.arange(len(starts))
    for _ in range(MAX_STEPS):
        steps = runs.steps(active)
        promised = np.einsum("md,md->m", runs.gradients[active], steps)  # (m,) first-order gain g'p
        keep = (promised > TOLERANCE * unit) & ~runs.dominated(active)
        active, steps, promised = active[keep], steps[keep], promised[keep]
        if not len(active):
            break
        values, gradients = criterion.values_and_gradients(runs.points[active] + steps)
        # Armijo: accept a step that gains at least SUFFICIENT x g'p (Nocedal and Wright 2006, eq. 3.4)
        gained = values - runs.values[active]
        accepted = gained >= SUFFICIENT * promised
        runs.shortened[active[~accepted]] *= SHORTENING
        runs.accept(active[accepted], steps[accepted], values[accepted], gradients[accepted])
        active = active[~accepted | (gained > TOLERANCE * unit)]
    return runs.points, runs.values


@dataclass
class Runs:
    """State of all runs: points (s, d), values (s,), gradients (s, d), and curvature estimates."""

    points: NDArray
    values: NDArray
    gradients: NDArray

    def __post_init__(self):
        s, d = self.points.shape
        lengths = np.linalg.norm(self.gradients, axis=1)
        first = FIRST_STEP / np.where(lengths > 0, lengths, 1)
        self.curvatures = first[:, None, None] * np.eye(d)  # (s, d, d) inverse Hessians of the negative value
        self.fresh = np.ones(s, dtype=bool)  # whether the curvature is still unknown
        self.shortened = np.ones(s)  # factors on the next steps

    def steps(self, runs: NDArray) -> NDArray:
        """Next steps (m, d) of the given runs (m,), clipped to the cube."""
        points, gradients = self.points[runs], self.gradients[runs]
        # p = H g over the free variables, clipped to the cube
        held = ((points <= 0) & (gradients < 0)) | ((points >= 1) & (gradients > 0))
        free = np.where(held, 0, gradients)
        directions = np.where(held, 0, np.einsum("mij,mj->mi", self.curvatures[runs], free))
        return np.clip(points + self.shortened[runs, None] * directions, 0, 1) - points

    def dominated(self, runs: NDArray) -> NDArray:
        """Whether each of the given runs (m,) has come close to a higher one."""
        near = np.abs(self.points[runs, None] - self.points).max(axis=2) < MERGED  # (m, s)
        return (near & (self.values > self.values[runs, None])).any(axis=1)

    def accept(self, runs: NDArray, steps: NDArray, values: NDArray, gradients: NDArray) -> None:
        """Take the steps (m, d) of the given runs (m,) and update their curvature estimates."""
        turned = self.gradients[runs] - gradients  # (m, d)
        self.points[runs] = np.clip(self.points[runs] + steps, 0, 1)
        self.values[runs], self.gradients[runs], self.shortened[runs] = values, gradients, 1
        # curvature is updated where p'y > MIN_COSINE |p| |y|, p: step, y: decrease of the gradient
        curvature = np.einsum("md,md->m", steps, turned)
        curved = curvature > MIN_COSINE * np.linalg.norm(steps, axis=1) * np.linalg.norm(turned, axis=1)
        self.curvatures[runs[~curved]] *= 2  # the criterion is convex here: take longer steps
        self._learn(runs[curved], steps[curved], turned[curved], curvature[curved])

    def _learn(self, runs, steps, turned, curvature):
        """BFGS update of the inverse Hessians (Nocedal and Wright 2006, eq. 6.17)."""
        eye = np.eye(steps.shape[1])
        # the first update sets the scale: H = (p'y / y'y) I (eq. 6.20)
        fresh = self.fresh[runs]
        scale = curvature[fresh] / np.einsum("md,md->m", turned[fresh], turned[fresh])
        self.curvatures[runs[fresh]] = scale[:, None, None] * eye
        self.fresh[runs] = False
        # H <- (I - rho p y') H (I - rho y p') + rho p p', rho = 1 / p'y (eq. 6.17)
        rho = (1 / curvature)[:, None, None]
        left = eye - rho * steps[:, :, None] * turned[:, None, :]  # (m, d, d)
        self.curvatures[runs] = left @ self.curvatures[runs] @ left.swapaxes(1, 2)
        self.curvatures[runs] += rho * steps[:, :, None] * steps[:, None, :]
