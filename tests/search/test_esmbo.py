"""Laws of ESMBO: with one part that is the whole it is SMBO; what it observes is computed by hand; its first trials."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.bootstraps import weights
from bayes_hpo.evaluation import WithTestPredictions
from bayes_hpo.pool import FAILED, History
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.search.esmbo import Esmbo
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("esmbo", "tiny", 0)
BUDGET = 8
BY_HAND = {"esmbo_svm": lambda y, predicted: predicted != y, "esmbo_svr": lambda y, predicted: (predicted - y) ** 2}


@dataclass(frozen=True)
class Whole:
    """The validation part itself, once."""

    count: int = 1

    def draw(self, count, n, rng):
        return np.ones((count, n))


@pytest.fixture(scope="module", params=BY_HAND)
def study(request):
    return request.param


@pytest.fixture(scope="module")
def evaluation(grid_of, iris, study):
    rng = np.random.default_rng(0)
    noise = {"esmbo_svm": lambda: np.where(rng.random(60) < 0.3, rng.integers(3, size=60), iris.y)}
    y = noise.get(study, lambda: iris.X[:, 0] + rng.normal(size=60))()  # so that losses differ
    return WithTestPredictions(Repetition.of(grid_of(study).job("holdout", "esmbo"), replace(iris, y=y), 0))


@pytest.fixture
def searcher(grid_of, study):
    """Function: a searcher of the toy study, with other parts."""

    def make(name, **parts):
        job = grid_of(study).job("holdout", name)
        return replace(build(job["searcher"], "searcher", space=build(job["space"], "space"), budget=BUDGET), **parts)

    return make


def run(searcher, evaluate, trials=BUDGET):
    done = []
    while len(done) < trials:
        done.append(evaluate(searcher.propose(History(done, evaluate.truth), SEEDS)))
    return done


def proposals(trials):
    return [trial.proposal.configuration for trial in trials]


def values(trials):
    """All numbers of a pool: configurations, losses, predictions."""
    configurations = [list(configuration.values()) for configuration in proposals(trials)]
    return configurations, [trial.losses for trial in trials], [trial.predictions for trial in trials]


def test_on_the_whole_part_it_is_smbo(searcher, evaluation, study):
    ours, smbo = run(searcher("esmbo", resampling=Whole()), evaluation), run(searcher("smbo"), evaluation)
    rounding = {"esmbo_svm": 0, "esmbo_svr": 1e-9}[study]  # sums of squared errors depend on their order
    for found, expected in zip(values(ours), values(smbo), strict=True):
        np.testing.assert_allclose(found, expected, rtol=rounding)
    assert proposals(ours) != proposals(run(searcher("esmbo"), evaluation))


def test_it_is_two_overrides_of_bayesian_optimization():
    own = {name for name in vars(Esmbo) if name in vars(Bayesian) and name[0] != "_"}
    assert own == {"observations", "chain"}


def test_it_observes_the_risks_on_one_bootstrap_after_the_other(searcher, evaluation, study):
    search = searcher("esmbo")
    trials = run(search, evaluation)
    n, count = len(evaluation.truth.y), search.resampling.count
    drawn = weights(search.resampling, n, SEEDS)
    for t in range(2, BUDGET):
        indices, observed = search.observations(History(trials[:t], evaluation.truth), SEEDS)
        losses = np.array([BY_HAND[study](evaluation.truth.y, trial.predictions) for trial in trials[:t]])
        np.testing.assert_array_equal(indices, np.arange(t))
        np.testing.assert_allclose(observed, [np.average(row, weights=drawn[t % count]) for row in losses])
        np.testing.assert_allclose(losses.mean(axis=1), [trial.loss for trial in trials[:t]])
    assert count > 1


def test_a_failed_trial_has_its_worst_loss_on_every_bootstrap(searcher, evaluation, study):
    search, trials = searcher("esmbo"), run(searcher("random"), evaluation, 3)
    trials[1] = evaluation.failed(trials[1].proposal, "it failed", FAILED)
    observed = search.observations(History(trials, evaluation.truth), SEEDS)[1]
    worst = {"esmbo_svm": 1, "esmbo_svr": max(trials[0].loss, trials[2].loss)}[study]  # that was seen (D7)
    assert observed[1] == pytest.approx(worst)
    assert search.propose(History(trials, evaluation.truth), SEEDS).round == 3


@pytest.mark.parametrize("name", ["esmbo", "smbo"])
def test_the_first_trials_are_those_of_random_search(name, searcher, evaluation):
    both = [proposals(run(searcher(one), evaluation, 3)) for one in (name, "random")]
    assert both[0][:2] == both[1][:2]
    assert both[0][2] != both[1][2]


def test_trials_are_never_evaluated_twice_in_a_space_of_few_points(searcher, evaluation, grid_of):
    node = {"_target_": "bayes_hpo.spaces.space.Space", "parameters": {"C": {"choices": [0.1, 1.0, 10.0]}}}
    few = build(node | {"parameters": node["parameters"] | {"tau": {"choices": [0.1, 1.0, 10.0]}}}, "space")
    found = proposals(run(searcher("smbo", space=few), evaluation))
    assert len({str(one) for one in found}) == BUDGET
