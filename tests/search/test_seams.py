"""The seams hold: ensemble optimization is one override of `observations`, a surrogate is a plug-in of 30 lines."""

import warnings
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern

from bayes_hpo.configuration.build import build
from bayes_hpo.contracts import Predictive, Searcher, Surrogate
from bayes_hpo.errors import UserError
from bayes_hpo.evaluation import WithPredictions
from bayes_hpo.pool import History, Trial
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

SEEDS = Seeds("study", "toy", 0)
SQUARE = Space({name: {"low": 0.0, "high": 1.0} for name in "xy"})


@dataclass(frozen=True, kw_only=True)
class EnsembleOptimization(Bayesian):
    """Slot t mod `slots` of a majority vote is optimized at trial t, the others held (thesis, chapter 4)."""

    slots: int

    def observations(self, history, seeds):
        predictions, members = np.array([trial.predictions for trial in history]), {}
        for t in range(len(history)):
            losses = self.losses(predictions[: t + 1], history.truth.y, members, t % self.slots)
            members[t % self.slots] = int(losses.argmin())
        return np.arange(len(history)), self.losses(predictions, history.truth.y, members, len(history) % self.slots)

    def losses(self, predictions, truth, members, slot):
        """Loss (n,) of the ensemble with each of n trials in a slot; truth (n_validation,)."""
        votes = sum((_one_hot(predictions[trial]) for other, trial in members.items() if other != slot), 0)
        return np.array([((votes + _one_hot(own)).argmax(axis=0) != truth).mean() for own in predictions])


def _one_hot(labels):
    return np.eye(3)[labels].T  # (n_classes, n_validation)


@dataclass(frozen=True)
class ScikitLearn:
    """scikit-learn's Gaussian process as a surrogate; every fit begins at the length that the one before has found."""

    noise: float

    def fit(self, points, targets, memory, rng):
        kernel = Matern(float(np.exp(memory["log_length"][0])) if "log_length" in memory else 1.0, nu=2.5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return Predicted(GaussianProcessRegressor(kernel, alpha=self.noise).fit(points, targets))


@dataclass(frozen=True)
class Predicted:
    model: GaussianProcessRegressor

    @property
    def state(self):
        return {"log_length": self.model.kernel_.theta}

    def moments(self, points):
        mean, deviation = self.model.predict(points, return_std=True)
        return mean[None], deviation[None] ** 2 + 1e-9


@pytest.fixture
def smoke(grid_of, iris):
    """The searcher gp of the smoke study as a node, its space, and an evaluation that stores predictions."""
    job, rng = grid_of("overfitting", "smoke").job("holdout", "gp"), np.random.default_rng(0)
    hard = replace(iris, y=np.where(rng.random(60) < 0.3, rng.integers(3, size=60), iris.y))  # votes differ
    return job["searcher"], build(job["space"], "space"), WithPredictions(Repetition.of(job, hard, 0))


@pytest.fixture
def searcher_of(smoke):
    """Function: the smoke study's searcher as another class or with other parts."""
    node, space, _ = smoke

    def make(cls=None, parts=(), **given):
        target = {"_target_": f"{__name__}.{cls.__name__}"} if cls else {}
        return build(node | target | dict(parts), "searcher", space=space, budget=9, **given)

    return make


def _run(searcher, evaluate, trials, seeds=SEEDS):
    done = []
    while len(done) < trials:
        history = History(done, getattr(evaluate, "truth", None))
        done.append(evaluate(searcher.propose(history, seeds)))
    return done


def _proposals(trials):
    return [(t.proposal.configuration, {k: v.tolist() for k, v in t.proposal.memory.items()}) for t in trials]


def test_ensemble_optimization_with_one_slot_is_bayesian_optimization(searcher_of, smoke):
    evaluation = smoke[2]
    single = searcher_of(EnsembleOptimization, slots=1)
    assert _proposals(_run(single, evaluation, 7)) == _proposals(_run(searcher_of(), evaluation, 7))


def test_ensemble_optimization_of_three_slots_is_one_override_of_the_observations(searcher_of, smoke):
    evaluation, seen = smoke[2], []
    truth = evaluation.truth.y
    triple = searcher_of(EnsembleOptimization, slots=3)
    trials = _run(triple, evaluation, 9)
    assert _proposals(trials) != _proposals(_run(searcher_of(), evaluation, 9))
    assert {name for name in vars(EnsembleOptimization) if name in vars(Bayesian) and name[0] != "_"} == {
        "observations"
    }
    for t in range(1, 9):
        history, slot, members = History(trials[:t], evaluation.truth), t % 3, {}
        for step in range(t):  # by hand: the trial that makes the vote best takes the slot of its turn
            members[step % 3] = min(range(step + 1), key=lambda own: _error(trials, members, step % 3, own, truth))
        seen.append([_error(trials, members, slot, own, truth) for own in range(t)])
        np.testing.assert_allclose(triple.observations(history, SEEDS)[1], seen[-1], atol=1e-12)
    assert seen[-1] != [trial.loss for trial in trials[:8]]


def _error(trials, members, slot, own, truth):
    """The vote's share of wrong rows with trial `own` in the slot; the lowest of tied classes wins."""
    voters = [trial for other, trial in members.items() if other != slot] + [own]
    rows = zip(*(trials[voter].predictions.tolist() for voter in voters), strict=True)
    labels = [min(Counter(row).items(), key=lambda item: (-item[1], item[0]))[0] for row in rows]
    return np.mean([label != right for label, right in zip(labels, truth.tolist(), strict=True)])


PLUG_IN = {
    "surrogate": {"_target_": f"{__name__}.ScikitLearn", "noise": 1e-4},
    "targets": {"_target_": "bayes_hpo.surrogates.targets.Standardized"},
    "maximizer": {"_target_": "bayes_hpo.acquisition.maximize.best_sample"},
}


def test_a_surrogate_is_a_plug_in_that_a_target_names(searcher_of, smoke):
    searcher = searcher_of(parts=PLUG_IN)
    trials = _run(searcher, smoke[2], 9)
    assert isinstance(searcher, Searcher)
    assert isinstance(searcher.surrogate, Surrogate)
    assert isinstance(searcher.fitted(History(trials), SEEDS)[2], Predictive)
    assert len({str(trial.proposal.configuration) for trial in trials}) == 9
    assert set(trials[-1].proposal.memory) == {"point", "log_length"}


def test_a_search_with_the_plug_in_is_led_by_it(searcher_of):
    def bowl(proposal):
        x, y = proposal.configuration.values()
        return Trial(proposal, np.array([(x - 0.7) ** 2 + (y - 0.3) ** 2]))

    searcher = replace(searcher_of(parts=PLUG_IN), space=SQUARE)
    found, random = (
        [min(trial.loss for trial in _run(one, bowl, 25, Seeds("study", "toy", r))) for r in range(5)]
        for one in (searcher, RandomSearch(SQUARE))
    )
    assert np.mean(found) < 0.3 * np.mean(random)


@pytest.mark.parametrize(
    ("part", "target", "contract"),
    [
        ("surrogate", "bayes_hpo.acquisition.maximize.best_sample", "Surrogate"),
        ("targets", "bayes_hpo.acquisition.maximize.best_sample", "Targets"),
        ("candidates", "bayes_hpo.acquisition.maximize.best_sample", "Candidates"),
    ],
)
def test_a_part_that_lacks_its_contract_is_refused_by_name(searcher_of, part, target, contract):
    with pytest.raises(UserError, match=rf"searcher\.{part}: .* is not of type {contract}"):
        searcher_of(parts={part: {"_target_": target}})


def test_a_part_that_is_no_component_is_refused(searcher_of):
    with pytest.raises(UserError, match=r"searcher\.maximizer: 'best' is not of type Maximizer"):
        searcher_of(parts={"maximizer": "best"})
