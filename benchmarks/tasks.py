"""What is minimised over the unit cube: three functions of the literature and two real landscapes of error.

A run's number picks the instance: of a function, its coordinates in another order and direction (all optimizers see the
same one, and a fixed first point is not the same point of the function every time); of a real landscape, the folds.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.spaces.space import Space

FOLDS = 5
FLOOR = 1e-4  # a regret below it is none: of these functions no validation error could show it
# Picheny, Wagner and Ginsbourger (2013); Dixon and Szegoe (1978)
HARTMANN_A = np.array(
    [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
)
HARTMANN_C = np.array([1.0, 1.2, 3.0, 3.2])
HARTMANN_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def branin(u):
    """Loss of u (2,): the function on [-5, 10] x [0, 15]; three minima of .397887."""
    x, y = 15 * u[0] - 5, 15 * u[1]
    return (y - 5.1 / (4 * np.pi**2) * x**2 + 5 / np.pi * x - 6) ** 2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x) + 10


def hartmann6(u):
    """Loss of u (6,): one global minimum of -3.32237 among six."""
    return -HARTMANN_C @ np.exp(-(HARTMANN_A * (u - HARTMANN_P) ** 2).sum(axis=1))


def ackley5(u):
    """Loss of u (5,): the function on [-5, 10]^5, so that its minimum of 0 is not the centre."""
    x = 15 * u - 5
    return 20 - 20 * np.exp(-0.2 * np.sqrt((x**2).mean())) + np.e - np.exp(np.cos(2 * np.pi * x).mean())


@dataclass(frozen=True)
class Function:
    """A function of the literature. d: dimensions; budget: trials; least: its minimum.

    Its values have any scale and Spearmint's priors an absolute one: ours is told standard scores, as all peers take.
    """

    loss: object
    d: int
    budget: int
    least: float
    runs: int = 30
    unit = 1
    ours: ClassVar = {"targets": {"_target_": "bayes_hpo.surrogates.targets.Standardized"}}
    plotted: ClassVar = {"value": "log"}
    margin = np.log10(2)  # non-inferior: less than twice the regret

    def instance(self, run):
        """The loss of a point (d,) in run number `run`."""
        rng = np.random.default_rng(run)
        order, turned = rng.permutation(self.d), rng.random(self.d) < 0.5
        return lambda u: float(self.loss(np.where(turned, 1 - u, u)[order]))

    @staticmethod
    def score(regrets):
        """What regrets (any shape) are averaged and compared by: log10, as they span orders of magnitude."""
        return np.log10(np.maximum(regrets, FLOOR))


@dataclass(frozen=True)
class Landscape:
    """The error of a learner on a bundled data set, mean over five folds, by its hyperparameters.

    learner: configuration -> scikit-learn estimator. load: scikit-learn's loader of the data. Its minimum is not known:
    the lowest error that any optimizer saw on the same folds stands for it.
    """

    learner: object
    space: Space
    load: object
    budget: int
    runs: int
    least = None
    unit = 100  # of regret as it is printed: percentage points
    ours: ClassVar = {}  # the searcher as chapter 3 runs it
    plotted: ClassVar = {"value": "symlog", "linthresh": 0.1}  # it reaches zero
    margin = 0.15  # percentage points: chapter 3's margin of "no difference" (docs/decisions.md)

    @property
    def d(self):
        return len(self.space)

    def instance(self, run):
        """The error, a fraction, at a point (d,) on the folds of run number `run`."""
        X, y = self.load(return_X_y=True)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=run)

        def loss(u):
            return 1 - cross_val_score(self.learner(self.space.decode(u)), X, y, cv=folds).mean()

        return loss

    @staticmethod
    def score(regrets):
        """What regrets (any shape) are averaged and compared by: percentage points of error."""
        return 100 * regrets


def svm(configuration):
    """A support vector machine on standardised features."""
    return make_pipeline(StandardScaler(), SVC(C=configuration["C"], gamma=configuration["tau"]))


def forest(configuration):
    """A random forest, the same trees at the same configuration."""
    return RandomForestClassifier(**configuration, random_state=0)


SPACES = configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"]
TASKS = {
    "branin": Function(branin, d=2, budget=40, least=0.39788736),
    "hartmann6": Function(hartmann6, d=6, budget=60, least=-3.32236801),
    "ackley5": Function(ackley5, d=5, budget=60, least=0.0),
    "svm": Landscape(svm, build(SPACES["svm_rbf"], "space"), load_breast_cancer, budget=40, runs=30),
    "forest": Landscape(forest, build(SPACES["random_forest"], "space"), load_digits, budget=50, runs=10),
}
