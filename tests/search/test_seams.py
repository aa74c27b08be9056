"""The seams hold: a surrogate is a plug-in of 30 lines."""

import warnings
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
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

SEEDS = Seeds("study", "toy", 0)
SQUARE = Space({name: {"low": 0.0, "high": 1.0} for name in "xy"})


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
    job = grid_of("overfitting", "smoke").job("holdout", "gp")
    return job["searcher"], build(job["space"], "space"), WithPredictions(Repetition.of(job, iris, 0))


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
