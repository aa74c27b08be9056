"""Other libraries' optimizers behind the benchmarks' ask and tell, each with its library's documented defaults."""

import functools
import importlib
import logging
import tempfile
import warnings

import numpy as np

from bayes_hpo.errors import UserError
from benchmarks.optimizers import Chance, Listed, Optimizer, Ours, PlainLoop

# What the documentation's closed loop takes (botorch.org, tutorial "closed_loop_botorch_only").
RESTARTS, RAW_SAMPLES = 10, 512


def library(name):
    """The module `name` of a peer. Raises: UserError when it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise UserError(f"{name} cannot be imported ({problem}); run: pip install -e '.[benchmarks]'") from problem


class ScikitOptimize(Optimizer):
    """`skopt.Optimizer`, whose defaults are those of gp_minimize: hedged acquisition, 10 random points first."""

    library = "scikit-optimize"

    def __init__(self, d, *, budget, seed):
        self.optimizer = library("skopt").Optimizer([(0.0, 1.0)] * d, random_state=seed)

    def remember(self, points, losses):
        self.optimizer.tell(np.asarray(points).tolist(), list(losses))

    def ask(self):
        self.asked = self.optimizer.ask()
        return np.array(self.asked)

    def tell(self, loss):
        self.optimizer.tell(self.asked, loss)


class Optuna(Optimizer):
    """A study in memory with one of Optuna's samplers; 10 random points first."""

    library = "optuna"

    def __init__(self, d, *, budget, seed, sampler):
        if sampler == "GPSampler":
            library("torch")  # which Optuna itself does without
        self.optuna, self.names = library("optuna"), [f"x{k}" for k in range(d)]
        self.optuna.logging.set_verbosity(self.optuna.logging.ERROR)
        self.study = self.optuna.create_study(sampler=getattr(self.optuna.samplers, sampler)(seed=seed))

    def remember(self, points, losses):
        ranges = dict.fromkeys(self.names, self.optuna.distributions.FloatDistribution(0, 1))
        for point, loss in zip(points, losses, strict=True):
            values = dict(zip(self.names, map(float, point), strict=True))
            self.study.add_trial(self.optuna.create_trial(params=values, distributions=ranges, value=loss))

    def ask(self):
        self.trial = self.study.ask()
        return np.array([self.trial.suggest_float(name, 0, 1) for name in self.names])

    def tell(self, loss):
        self.study.tell(self.trial, loss)


class BoTorch(Listed):
    """SingleTaskGP by marginal likelihood, log expected improvement; 10 random points first, as in the tutorials."""

    library = "botorch"

    def __init__(self, d, *, budget, seed):
        super().__init__(d, budget=budget, seed=seed)
        self.torch, self.botorch = library("torch"), library("botorch")
        self.likelihood = library("gpytorch").mlls.ExactMarginalLogLikelihood
        self.torch.set_num_threads(1)
        self.torch.manual_seed(seed)

    def suggestion(self):
        torch, botorch = self.torch, self.botorch
        X = torch.tensor(np.array(self.points))
        Y = -torch.tensor(np.array(self.losses))[:, None]  # it maximises
        model = botorch.models.SingleTaskGP(X, Y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            botorch.fit.fit_gpytorch_mll(self.likelihood(model.likelihood, model))
            improvement = botorch.acquisition.LogExpectedImprovement(model, best_f=Y.max())
            cube = torch.tensor([[0.0] * self.d, [1.0] * self.d], dtype=torch.double)
            found, _ = botorch.optim.optimize_acqf(
                improvement, cube, q=1, num_restarts=RESTARTS, raw_samples=RAW_SAMPLES
            )
        return found[0].numpy()


class Smac(Optimizer):
    """The facade for black boxes, SMAC's Gaussian process, on a deterministic loss; its history is not saved."""

    library = "smac"

    def __init__(self, d, *, budget, seed):
        self.smac, self.space = library("smac"), library("ConfigSpace").ConfigurationSpace(seed=seed)
        self.space.add([library("ConfigSpace").Float(f"x{k:02}", (0.0, 1.0)) for k in range(d)])
        self.folder = tempfile.TemporaryDirectory()
        self.scenario = self.smac.Scenario(
            self.space, output_directory=self.folder.name, deterministic=True, n_trials=budget, seed=seed
        )
        self.facade = self._facade(None)

    def remember(self, points, losses):
        self.facade = self._facade(0)
        for point, loss in zip(points, losses, strict=True):
            self.info = self._told(point)
            self.tell(loss)

    def ask(self):
        self.info = self.facade.ask()
        return np.array([self.info.config[name] for name in self.space])

    def tell(self, loss):
        value = self.smac.runhistory.dataclasses.TrialValue(cost=loss)
        self.facade.tell(self.info, value, save=False)

    def _told(self, point):
        values = dict(zip(self.space, map(float, point), strict=True))
        configuration = library("ConfigSpace").Configuration(self.space, values)
        return self.smac.runhistory.dataclasses.TrialInfo(configuration, seed=0)

    def _facade(self, initial):
        """The facade with this many points of its own before the first model; None: its default."""
        facade = self.smac.BlackBoxFacade
        design = facade.get_initial_design(self.scenario, n_configs=initial)
        return facade(self.scenario, _no_target, initial_design=design, logging_level=logging.ERROR, overwrite=True)


def _no_target(config, seed=0):
    """SMAC wants a function of its own; it is told instead."""
    raise NotImplementedError


OURS = ("fast", "published")
OPTIMIZERS = {
    **{setting: functools.partial(Ours, setting=setting) for setting in OURS},
    "skopt": ScikitOptimize,
    "optuna_gp": functools.partial(Optuna, sampler="GPSampler"),
    "botorch": BoTorch,
    "smac": Smac,
    "sklearn": PlainLoop,
    "optuna_tpe": functools.partial(Optuna, sampler="TPESampler"),
    "random": Chance,
}
GP_PEERS = ("skopt", "optuna_gp", "botorch", "smac", "sklearn")
