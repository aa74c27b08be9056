"""Local maxima in the unit cube from many starts at once: one BFGS run per start, all advanced by batched gradients."""

from dataclasses import dataclass

import numpy as np

FIRST_STEP = 0.02  # length of a run's first step, in units of the cube
MEETING = 0.02  # a run that is this near to a higher one in every coordinate ends: it would go on to the same top
TOLERANCE = 5e-7  # a run ends when a step promises or brings less than this share of the unit
SUFFICIENT = 1e-4  # share of the promised gain that a step must bring (Armijo's rule)
SHORTER = 0.25  # what a refused step is shortened by
MAX_STEPS = 60
CURVED = 1e-10  # least cosine between a step and the change of its gradient that the curvature is learned from


def refine(criterion, starts, *, unit):
    """Ends (s, d) of climbs in the cube from the starts (s, d), and their values (s,), none lower than at its start.

    criterion.values_and_gradients(points (m, d)) -> (m,), (m, d). unit: the size of a difference of values that counts.
    Every run has its own curvature and step length (Nocedal and Wright 2006, algorithm 6.1), its variables at a bound
    that they would cross are held, and a run that has ended costs no more. A run may end early where the cube cuts its
    step, so what counts is the highest of several.
    """
    climb = Climb(starts.copy(), *criterion.values_and_gradients(starts))
    running = np.arange(len(starts))
    for _ in range(MAX_STEPS):
        steps = climb.steps(running)
        promised = np.einsum("md,md->m", climb.gradients[running], steps)  # (m,)
        going = (promised > TOLERANCE * unit) & ~climb.led(running)
        running, steps, promised = running[going], steps[going], promised[going]
        if not len(running):
            break
        values, gradients = criterion.values_and_gradients(climb.points[running] + steps)
        gained = values - climb.values[running]
        accepted = gained >= SUFFICIENT * promised
        climb.refuse(running[~accepted])
        climb.accept(running[accepted], steps[accepted], values[accepted], gradients[accepted])
        running = running[~accepted | (gained > TOLERANCE * unit)]
    return climb.points, climb.values


@dataclass
class Climb:
    """Where every run stands: points (s, d), values (s,), gradients (s, d), and what it knows of the curvature."""

    points: np.ndarray
    values: np.ndarray
    gradients: np.ndarray

    def __post_init__(self):
        s, d = self.points.shape
        lengths = np.linalg.norm(self.gradients, axis=1)
        first = FIRST_STEP / np.where(lengths > 0, lengths, 1)
        self.curvatures = first[:, None, None] * np.eye(d)  # (s, d, d) inverse Hessians of the negative value
        self.fresh = np.ones(s, dtype=bool)  # curvature still unknown
        self.shortened = np.ones(s)

    def steps(self, runs):
        """The next step (m, d) of these runs, which stays in the cube."""
        points, gradients = self.points[runs], self.gradients[runs]
        held = ((points <= 0) & (gradients < 0)) | ((points >= 1) & (gradients > 0))
        free = np.where(held, 0, gradients)
        directions = np.where(held, 0, np.einsum("mij,mj->mi", self.curvatures[runs], free))
        return np.clip(points + self.shortened[runs, None] * directions, 0, 1) - points

    def led(self, runs):
        """Which of these runs (m,) have met a higher one."""
        near = np.abs(self.points[runs, None] - self.points).max(axis=2) < MEETING  # (m, s)
        return (near & (self.values > self.values[runs, None])).any(axis=1)

    def refuse(self, runs):
        """Shorten the next step of these runs."""
        self.shortened[runs] *= SHORTER

    def accept(self, runs, steps, values, gradients):
        """Take the steps (m, d) and learn the curvature along them."""
        turned = self.gradients[runs] - gradients  # (m, d)
        self.points[runs] = np.clip(self.points[runs] + steps, 0, 1)
        self.values[runs], self.gradients[runs], self.shortened[runs] = values, gradients, 1
        curvature = np.einsum("md,md->m", steps, turned)
        curved = curvature > CURVED * np.linalg.norm(steps, axis=1) * np.linalg.norm(turned, axis=1)
        self.curvatures[runs[~curved]] *= 2  # it bends upwards here: go farther
        self._learn(runs[curved], steps[curved], turned[curved], curvature[curved])

    def _learn(self, runs, steps, turned, curvature):
        """The BFGS update of the inverse Hessians (eq. 6.17 there); the first one sets their scale (eq. 6.20)."""
        eye = np.eye(steps.shape[1])
        fresh = self.fresh[runs]
        scale = curvature[fresh] / np.einsum("md,md->m", turned[fresh], turned[fresh])
        self.curvatures[runs[fresh]] = scale[:, None, None] * eye
        self.fresh[runs] = False
        rho = (1 / curvature)[:, None, None]
        left = eye - rho * steps[:, :, None] * turned[:, None, :]  # (m, d, d)
        self.curvatures[runs] = left @ self.curvatures[runs] @ left.swapaxes(1, 2)
        self.curvatures[runs] += rho * steps[:, :, None] * steps[:, None, :]
