"""CMA-ES against DEAP, and its laws as a searcher."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.pool import History, Trial
from bayes_hpo.search.cmaes import CMAES, Constants, Strategy
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space
from tests.configured import configured

SPACE = Space({"x": {"low": 0.0, "high": 1.0}, "y": {"low": 0.0, "high": 1.0}})
SEEDS = Seeds("study", "toy", 0)
CMA = CMAES(SPACE, centre=0.5, sigma=0.2, offspring=6)


class _Individual(np.ndarray):
    """What DEAP's strategy fills and sorts."""


def _individual(point):
    individual = np.array(point).view(_Individual)
    individual.fitness = SimpleNamespace()
    return individual


class _Better:
    """A fitness of DEAP: the lower loss is the larger."""

    def __init__(self, loss):
        self.loss = loss

    def __lt__(self, other):
        return self.loss > other.loss


@pytest.mark.parametrize("d", [2, 5])
@pytest.mark.parametrize("problem", ["ellipse", "zero-one"])
def test_thirty_generations_equal_deap(d, problem):
    cma = pytest.importorskip("deap.cma")
    theirs = cma.Strategy(np.full(d, 0.5), 0.2)
    ours = Strategy.start(Constants.of(d, theirs.lambda_), 0.5, 0.2)
    if d == 2:
        assert (theirs.lambda_, theirs.mu) == (6, 3)
    rng = np.random.default_rng(d)
    for generation in range(30):
        state = np.random.RandomState(generation)
        z = state.standard_normal((theirs.lambda_, d))
        np.random.seed(generation)  # DEAP draws from the global generator: the same z
        population = theirs.generate(_individual)
        points = ours.points(z)
        signs = np.sign(np.sum(theirs.B * ours.axes[0], axis=0))  # an eigenvector is known up to its sign
        np.testing.assert_allclose(ours.points(z * signs), np.array(population), rtol=0, atol=1e-10)
        if problem == "ellipse":
            losses = ((np.array(population) - 0.7) ** 2 * 10.0 ** np.arange(d)).sum(axis=1)
        else:
            losses = rng.integers(0, 4, len(points)) / 4  # many ties
        for individual, loss in zip(population, losses, strict=True):
            individual.fitness = _Better(loss)
        ours = ours.update(np.array(population), losses)
        theirs.update(population)
        np.testing.assert_allclose(ours.centroid, theirs.centroid, rtol=0, atol=1e-10)
        np.testing.assert_allclose(ours.sigma, theirs.sigma, rtol=1e-10)
        np.testing.assert_allclose(ours.C, theirs.C, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(ours.path_sigma, theirs.ps, rtol=0, atol=1e-10)
        np.testing.assert_allclose(ours.path_c, theirs.pc, rtol=0, atol=1e-10)


def test_the_constants_are_those_of_the_protocol():
    constants = Constants.of(2, 6)
    np.testing.assert_allclose(constants.weights, [0.637, 0.285, 0.078], atol=5e-4)
    np.testing.assert_allclose(constants.mu_eff, 2.03, atol=5e-3)


@pytest.mark.parametrize("d", [2, 3, 5, 14])
def test_the_constants_are_deaps(d):
    cma = pytest.importorskip("deap.cma")
    theirs = cma.Strategy(np.full(d, 0.5), 0.2)
    ours = Constants.of(d, theirs.lambda_)
    names = {"mu_eff": "mueff", "c_sigma": "cs", "damps": "damps", "c_c": "cc", "c_1": "ccov1", "c_mu": "ccovmu"}
    for our, their in {**names, "chi_n": "chiN", "weights": "weights"}.items():
        np.testing.assert_allclose(getattr(ours, our), getattr(theirs, their), rtol=1e-12)


def _bowl(u):
    return float(((np.array(u) - 0.3) ** 2).sum())


def _run(searcher, budget, loss=_bowl, seeds=SEEDS):
    trials = []
    while len(trials) < budget:
        proposal = searcher.propose(History(trials), seeds)
        trials.append(Trial(proposal, np.array([loss(list(proposal.configuration.values()))])))
    return trials


def _points(trials):
    return np.array([list(trial.proposal.configuration.values()) for trial in trials])


def test_a_generation_is_a_round_and_the_last_of_a_hundred_trials_has_four():
    rounds = [trial.proposal.round for trial in _run(CMA, 100)]
    assert rounds == [t // 6 for t in range(100)]
    assert rounds.count(16) == 4


def test_the_first_generation_is_drawn_around_the_centre():
    first = np.vstack([_points(_run(CMA, 6, seeds=Seeds("study", "toy", r))) for r in range(100)])
    assert np.abs(first.mean(axis=0) - 0.5).max() < 0.04
    assert np.abs(first.std(axis=0) - 0.2).max() < 0.03


def test_the_order_within_a_generation_is_all_that_losses_say():
    plain = _points(_run(CMA, 30))
    np.testing.assert_array_equal(_points(_run(CMA, 30, lambda u: np.expm1(5 * _bowl(u)))), plain)
    assert not np.array_equal(_points(_run(CMA, 30, lambda u: -_bowl(u))), plain)


def test_losses_of_a_generation_that_is_not_finished_move_nothing():
    trials = _run(CMA, 11)
    for loss in (0.0, 1.0):
        unfinished = [replace(trial, losses=np.array([loss])) for trial in trials[6:10]]
        proposal = CMA.propose(History(trials[:6] + unfinished), SEEDS)
        assert proposal.configuration == trials[10].proposal.configuration


def test_it_finds_the_bottom_of_a_bowl():
    trials = _run(CMA, 100)
    assert min(trial.loss for trial in trials) < 1e-3
    assert np.abs(_points(trials)[-12:] - 0.3).max() < 0.1


def test_points_outside_are_stored_clipped_and_updated_unclipped():
    """With its centre on the edge half of the points lie outside; the update must be fed with the drawn points."""
    edge = CMAES(SPACE, centre=1.0, sigma=0.2, offspring=6)
    trials = _run(edge, 12)
    z = SEEDS("generation", 0).standard_normal((6, 2))
    start = Strategy.start(Constants.of(2, 6), 1.0, 0.2)
    drawn = start.points(z)
    assert drawn.max() > 1
    np.testing.assert_allclose(_points(trials[:6]), np.clip(drawn, 0, 1), atol=1e-15)
    losses = np.array([trial.loss for trial in trials[:6]])
    following = start.update(drawn, losses).points(SEEDS("generation", 1).standard_normal((6, 2)))
    np.testing.assert_allclose(_points(trials[6:]), np.clip(following, 0, 1), atol=1e-15)
    clipped = start.update(np.clip(drawn, 0, 1), losses)
    assert np.abs(clipped.centroid - start.update(drawn, losses).centroid).max() > 1e-3


def test_every_stored_point_lies_in_the_cube():
    points = _points(_run(CMAES(SPACE, centre=0.9, sigma=2.0, offspring=6), 60))
    assert points.min() >= 0
    assert points.max() <= 1


def test_equal_losses_keep_it_alive():
    assert np.isfinite(_points(_run(CMA, 100, lambda u: 0.25))).all()


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"offspring": 1}, "offspring=1 must be at least 2"),
        ({"offspring": 0}, "offspring=0 must be at least 2"),
        ({"sigma": 0.0}, "sigma=0 must be above 0"),
        ({"sigma": -1.0}, "sigma=-1 must be above 0"),
    ],
)
def test_settings_without_sense_are_refused(setting, words):
    settings = {"centre": 0.5, "sigma": 0.2, "offspring": 6} | setting
    with pytest.raises(UserError, match=rf"^searcher\.{words}$"):
        configured(CMAES, "searcher", {"space": SPACE}, **settings)


def test_the_step_that_runs_away_early_stops_the_path_as_in_deap():
    cma = pytest.importorskip("deap.cma")
    constants, stopped = Constants.of(2, 6), []
    for far in np.linspace(0.1, 6.0, 60):
        theirs = cma.Strategy(np.full(2, 0.5), 0.2)
        ours = Strategy.start(constants, 0.5, 0.2)
        for _ in range(3):
            points = theirs.centroid + theirs.sigma * far * np.ones((6, 2))
            population = [_individual(point) for point in points]
            for individual in population:
                individual.fitness = _Better(0.0)
            before = ours.path_c
            ours = ours.update(np.array(population), np.zeros(6))
            theirs.update(population)
            np.testing.assert_allclose(ours.path_c, theirs.pc, rtol=0, atol=1e-9)
            np.testing.assert_allclose(ours.C, theirs.C, rtol=1e-9, atol=1e-12)
            stopped.append(bool(np.allclose(ours.path_c, (1 - constants.c_c) * before)))
    assert set(stopped) == {True, False}
