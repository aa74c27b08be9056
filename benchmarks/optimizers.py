"""What the optimizers of the benchmarks have in common, and those without another library: ours, a plain loop, chance.

Every one of them minimises over the unit cube: `ask` for a point, `tell` its loss. `remember` comes before the first
`ask`: points that another has chosen, which count as the initial design.
"""

import functools
import warnings
from abc import ABC, abstractmethod

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from bayes_hpo.acquisition.criteria import ExpectedImprovement
from bayes_hpo.acquisition.evaluated import POINT
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.pool import History, Proposal, Trial
from bayes_hpo.seeds import Seeds

INITIAL = 10  # random points before the first model where a library leaves that to its user
CANDIDATES = 2000  # of the plain loop
JOB = ("study=overfitting", "dataset=sklearn-iris", "searcher=gp", "protocol=holdout", "scale=small")


class Optimizer(ABC):
    """One run on the unit cube of d dimensions. budget: trials that it will have; seed: number of the run."""

    library = None  # the distribution that it comes from

    @abstractmethod
    def __init__(self, d, *, budget, seed):
        """Get ready for the first point."""

    @abstractmethod
    def remember(self, points, losses):
        """Take points (n, d) and their losses (n,) for the initial design."""

    @abstractmethod
    def ask(self):
        """The next point (d,)."""

    @abstractmethod
    def tell(self, loss):
        """Take the loss of the point that was asked for last."""


class Ours(Optimizer):
    """The searcher gp with a setting of conf/gp, built as a search builds it.

    targets: the transform of the losses (a node such as conf/targets has), in place of the searcher's own,
    which is made for losses that are shares of errors.
    """

    library = "bayes-hpo"

    def __init__(self, d, *, budget, seed, setting, targets=None):
        space = {
            "_target_": "bayes_hpo.spaces.space.Space",
            "parameters": {f"x{k}": {"low": 0, "high": 1} for k in range(d)},
        }
        settings = _settings(setting) | {"space": space} | ({"targets": targets} if targets else {})
        self.searcher = build(settings, "searcher", budget=budget)
        self.seeds = Seeds("benchmarks", f"cube_{d}", seed)
        self.history = History()

    def remember(self, points, losses):
        for point, loss in zip(points, losses, strict=True):
            self.proposal = Proposal(self.searcher.space.decode(point), len(self.history), {POINT: point})
            self.tell(loss)

    def ask(self):
        self.proposal = self.searcher.propose(self.history, self.seeds)
        return self.proposal.memory[POINT]

    def tell(self, loss):
        self.history += Trial(self.proposal, np.array([loss]))


@functools.cache
def _settings(setting):
    """The configuration (dict) of the searcher gp with a setting of conf/gp."""
    return configure("search", [*JOB, f"gp@scale.gp={setting}"])["searcher"]


class Listed(Optimizer):
    """An optimizer that works from the lists of all points and losses, its first points drawn at random."""

    def __init__(self, d, *, budget, seed):
        self.d, self.rng = d, np.random.default_rng(seed)
        self.points, self.losses = [], []

    def remember(self, points, losses):
        self.points, self.losses = [*points], [*losses]

    def ask(self):
        enough = len(self.losses) >= INITIAL
        self.points.append(self.suggestion() if enough else self.rng.random(self.d))
        return self.points[-1]

    def tell(self, loss):
        self.losses.append(loss)

    @abstractmethod
    def suggestion(self):
        """A point (d,) from what is known."""


class Chance(Listed):
    """Random search."""

    library = "numpy"

    def suggestion(self):
        return self.rng.random(self.d)


class PlainLoop(Listed):
    """scikit-learn's regression as its user guide sets it up, expected improvement over random candidates."""

    library = "scikit-learn"

    def suggestion(self):
        kernel = ConstantKernel() * Matern(np.ones(self.d), nu=2.5) + WhiteKernel()
        model = GaussianProcessRegressor(kernel, normalize_y=True, random_state=int(self.rng.integers(2**31)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(np.array(self.points), np.array(self.losses))
        candidates = self.rng.random((CANDIDATES, self.d))
        mean, deviation = model.predict(candidates, return_std=True)
        return candidates[np.argmax(ExpectedImprovement(min(self.losses)).value(mean, deviation**2))]
