"""Ours and other libraries' optimizers of a space with conditions: `ask` for a configuration, `tell` its loss."""

import functools
import logging
import os
import tempfile
import warnings

import numpy as np

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.pool import History, Trial
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.parameters import Category, Integer
from benchmarks.optimizers import INITIAL
from benchmarks.peers import RAW_SAMPLES, RESTARTS, library

ROOT = 0  # the coordinate of the choice of the learner
FIT = {"options": {"maxiter": 100}}  # more, up to 1,100 and 11 s, gained .02 to .1 of log likelihood a point
os.environ["LOKY_MAX_CPU_COUNT"] = "1"  # SMAC's forest would take all cores


class Ours:
    """A searcher of conf/searcher with the setting `fast`, built as a search builds it."""

    library = "bayes-hpo"

    def __init__(self, space, *, budget, seed, searcher):
        self.searcher = build(_searchers()[searcher], "searcher", space=space, budget=budget)
        self.seeds, self.history = Seeds("benchmarks", "cash", seed), History()

    def ask(self):
        self.proposal = self.searcher.propose(self.history, self.seeds)
        return self.proposal.configuration

    def tell(self, loss):
        self.history += Trial(self.proposal, np.array([loss]))


@functools.cache
def _searchers():
    return configure("plan", ["study=overfitting", "scale=small"], groups=("searcher",))["searchers"]


class OptunaTPE:
    """The TPE sampler as Optuna's documentation sets it up for conditions: multivariate, in groups.

    Only the chosen learner's hyperparameters are suggested. 10 random configurations first.
    """

    library = "optuna"

    def __init__(self, space, *, budget, seed):
        self.space, optuna = space, library("optuna")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True)
        self.study = optuna.create_study(sampler=sampler)

    def ask(self):
        self.trial, configuration, names = self.study.ask(), {}, list(self.space.parameters)
        for child in self.space.conditions.order:
            if self._is_active(child, configuration):
                configuration[names[child]] = self._suggested(names[child])
        return configuration

    def tell(self, loss):
        self.study.tell(self.trial, loss)

    def _is_active(self, child, configuration):
        parameters = list(self.space.parameters.items())
        return all(
            parameters[condition.parent][1].values.index(configuration[parameters[condition.parent][0]])
            in condition.numbers
            for condition in self.space.conditions.of[child]
        )

    def _suggested(self, name):
        own = self.space.parameters[name]
        if isinstance(own, Category):
            return self.trial.suggest_categorical(name, own.choices)
        if isinstance(own, Integer):
            return self.trial.suggest_int(name, own.low, own.high)
        return self.trial.suggest_float(name, own.low, own.high, log=own.log)


class Smac:
    """The facade for hyperparameter optimization, SMAC's random forest, on a deterministic loss; nothing is saved.

    retrain_after: trials until there is a new forest. A quarter of the budget is its initial design.
    """

    library = "smac"

    def __init__(self, space, *, budget, seed, retrain_after):
        self.smac = library("smac")
        self.folder = tempfile.TemporaryDirectory()
        scenario = self.smac.Scenario(
            config_space(space, seed), output_directory=self.folder.name, deterministic=True, n_trials=budget, seed=seed
        )
        facade = self.smac.HyperparameterOptimizationFacade
        selector = facade.get_config_selector(scenario, retrain_after=retrain_after)
        self.facade = facade(
            scenario, _no_target, config_selector=selector, logging_level=logging.ERROR, overwrite=True
        )

    def ask(self):
        self.info = self.facade.ask()
        return {name: _plain(value) for name, value in dict(self.info.config).items()}

    def tell(self, loss):
        value = self.smac.runhistory.dataclasses.TrialValue(cost=loss)
        self.facade.tell(self.info, value, save=False)


def config_space(space, seed):
    """The ConfigurationSpace of a Space."""
    ConfigSpace = library("ConfigSpace")
    made = ConfigSpace.ConfigurationSpace(seed=seed)
    parameters = {name: _config_parameter(ConfigSpace, name, own) for name, own in space.parameters.items()}
    made.add(list(parameters.values()))
    names = list(parameters)
    for child, conditions in enumerate(space.conditions.of):
        for condition in conditions:
            values = [space.parameters[names[condition.parent]].values[number] for number in condition.numbers]
            made.add(ConfigSpace.InCondition(parameters[names[child]], parameters[names[condition.parent]], values))
    return made


def _config_parameter(ConfigSpace, name, own):
    if isinstance(own, Category):
        return ConfigSpace.Categorical(name, own.choices)
    kind = ConfigSpace.Integer if isinstance(own, Integer) else ConfigSpace.Float
    return kind(name, (own.low, own.high), log=getattr(own, "log", False))


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _no_target(config, seed=0):
    """SMAC wants a function of its own; it is told instead."""
    raise NotImplementedError


class BoTorchMixed:
    """MixedSingleTaskGP, the learner a category, on imputed points; log expected improvement by optimize_acqf.

    One continuous problem per learner, as optimize_acqf_mixed has them, its inactive coordinates held in the middle.
    What they find is compared where it would be evaluated, integers rounded; the best that was not tried is proposed,
    as in our rows. 10 random configurations first.
    """

    library = "botorch"

    def __init__(self, space, *, budget, seed):
        self.space, self.rng = space, np.random.default_rng(seed)
        self.points, self.losses = [], []
        self.torch, self.botorch = library("torch"), library("botorch")
        self.likelihood = library("gpytorch").mlls.ExactMarginalLogLikelihood
        self.torch.set_num_threads(1)
        self.torch.manual_seed(seed)

    def ask(self):
        if len(self.losses) < INITIAL:
            point = self._settled(self.space.from_uniform(self.rng.random((1, len(self.space)))))[0]
        else:
            point = self._suggestion()
        self.points.append(point)
        return self.space.decode(point)

    def tell(self, loss):
        self.losses.append(loss)

    def _suggestion(self):
        torch, botorch, d = self.torch, self.botorch, len(self.space)
        X, Y = torch.tensor(np.array(self.points)), -torch.tensor(np.array(self.losses))[:, None]  # it maximises
        model = botorch.models.MixedSingleTaskGP(X, Y, cat_dims=[ROOT])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            botorch.fit.fit_gpytorch_mll(self.likelihood(model.likelihood, model), optimizer_kwargs=FIT)
            improvement = botorch.acquisition.LogExpectedImprovement(model, best_f=Y.max())
            cube = torch.tensor([[0.0] * d, [1.0] * d], dtype=torch.double)
            optimize = functools.partial(
                botorch.optim.optimize_acqf,
                *(improvement, cube, 1, RESTARTS, RAW_SAMPLES),
                post_processing_func=lambda found: torch.tensor(self._settled(found.reshape(-1, d).numpy()))[:, None],
                return_best_only=False,
            )
            points, values = zip(*(optimize(fixed_features=held) for held in self._held()), strict=True)
        return self._best_untried(torch.cat(points)[:, 0].numpy(), torch.cat(values).numpy())

    def _best_untried(self, points, values):
        """The point (d,) of highest value among points (n, d) that was not tried; of all of them when each was."""
        tried = np.array([any(np.array_equal(point, other) for other in self.points) for point in points])
        return points[np.argmax(np.where(tried & ~tried.all(), -np.inf, values))]

    def _settled(self, points):
        """The points (n, d) that stand for what is evaluated at `points` (n, d).

        Without them a learner that has no hyperparameters looks untried for ever: at the values that it does not use.
        """
        return self.space.impute(self.space.round_to_grid(points))

    def _held(self):
        """What is held in each learner's problem: coordinate -> value."""
        bins, held = list(self.space.parameters.values())[ROOT].bins, []
        for number in range(bins.count):
            point = np.full((1, len(self.space)), 0.5)
            point[0, ROOT] = bins.point(number)
            free = self.space.active(point)[0]
            free[ROOT] = False
            if not free.any():
                free[-1] = True  # optimize_acqf_mixed wants one that is; it is imputed afterwards
            held.append({column: float(point[0, column]) for column in np.flatnonzero(~free)})
        return held


SEARCHERS = ("gp_cond_ls", "gp_cond", "gp_matern_ls", "smac", "random")
CASH_OPTIMIZERS = {
    **{name: functools.partial(Ours, searcher=name) for name in SEARCHERS},
    "smac_package": functools.partial(Smac, retrain_after=8),  # the facade's default
    "smac_package_1": functools.partial(Smac, retrain_after=1),  # as ours does
    "optuna_tpe": OptunaTPE,
    "botorch_mixed": BoTorchMixed,
}
