"""Laws of the candidates all over the space and around the best trials."""

import numpy as np
import pytest
from probable_pools import SPACE
from scipy.stats import kstest, truncnorm

from bayes_hpo.acquisition.evaluated import Evaluated
from bayes_hpo.acquisition.local_samples import LocalSamples
from bayes_hpo.errors import UserError
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space
from tests.configured import configured

SEEDS = Seeds("study", "toy", 0)
SETTINGS = {"size": 300, "best": 10, "neighbours": 5, "deviation": 0.2}
SAMPLES = LocalSamples(**SETTINGS)
POINTS = SPACE.impute(SPACE.round_to_grid(SPACE.draw(40, np.random.default_rng(1))))
EVALUATED = Evaluated(SPACE, POINTS, best=POINTS[0])


def _distances(points, others):
    return (points[:, None] != others).sum(axis=2)


def test_some_are_neighbours_of_the_best_and_the_rest_is_all_over_the_space():
    candidates = SAMPLES.generate(EVALUATED, np.random.default_rng(0))
    assert len(candidates) == 350
    kinds = np.bincount((candidates[:, 0] * 3).astype(int)) / 350
    np.testing.assert_allclose(kinds, [0.4, 0.4, 0.2], atol=0.1)  # of kind c half is forbidden
    assert (_distances(candidates, POINTS[:10]).min(axis=1) == 1).sum() >= 25
    single = LocalSamples(**SETTINGS | {"best": 1, "neighbours": 1}).generate(EVALUATED, np.random.default_rng(0))
    assert len(single) == 301


def test_only_the_first_points_are_sampled_around():
    """In a search these are the trials of the lowest losses."""
    single = LocalSamples(size=1, best=1, neighbours=30, deviation=0.2)
    candidates = single.generate(EVALUATED, np.random.default_rng(0))
    assert (_distances(candidates, POINTS[:1]).min(axis=1) == 1).sum() >= 10


def test_evaluated_points_are_no_candidates_while_there_are_others():
    few = Space({"a": {"choices": [1, 2, 3]}, "b": {"choices": [1, 2, 3]}})
    every = few.encode([{"a": a, "b": b} for a in (1, 2, 3) for b in (1, 2, 3)])
    for known in range(1, 9):
        candidates = SAMPLES.generate(Evaluated(few, every[:known], every[0]), np.random.default_rng(0))
        assert {tuple(point) for point in candidates} == {tuple(point) for point in every[known:]}
    assert len(SAMPLES.generate(Evaluated(few, every, every[0]), np.random.default_rng(0))) > 300


def test_their_order_is_random():
    """The place of neighbours among the candidates is uniform, so that the first of equals is a random one."""
    samples, places = LocalSamples(size=20, best=1, neighbours=1, deviation=0.2), []
    numbers = Space({name: {"low": 0.0, "high": 1.0} for name in "pqr"})
    evaluated = Evaluated(numbers, np.full((1, 3), 0.5), best=None)
    for seed in range(300):
        candidates = samples.generate(evaluated, np.random.default_rng(seed))
        places.append(int((candidates == 0.5).any(axis=1).argmax()))
    assert set(places) == set(range(21))
    assert kstest(np.array(places) / 20, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("u", [0.0, 0.3, 1.0])
def test_a_number_makes_a_normal_step_inside_the_cube(u):
    rng = np.random.default_rng(0)
    steps = np.array([SAMPLES.step(SPACE.parameters["x"], u, rng) for _ in range(800)])
    assert kstest(steps, truncnorm(-u / 0.2, (1 - u) / 0.2, loc=u, scale=0.2).cdf).pvalue > 1e-3


def test_a_category_takes_any_other_choice():
    rng, kind = np.random.default_rng(0), SPACE.parameters["kind"]
    counts = np.bincount([int(3 * SAMPLES.step(kind, 0.5, rng)) for _ in range(400)], minlength=3)
    assert counts[1] == 0
    assert abs(counts[0] - 200) < 60


def test_the_initial_design_is_that_of_random_search():
    nothing = Evaluated(SPACE, POINTS[:0], best=None)
    for t in range(5):
        configuration = RandomSearch(SPACE).propose(range(t), SEEDS).configuration
        assert SPACE.decode(SAMPLES.initial(nothing, t, SEEDS)) == configuration


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"size": 0}, "candidates.size=0 must be at least 1"),
        ({"best": 0}, "candidates.best=0 must be at least 1"),
        ({"neighbours": 0}, "candidates.neighbours=0 must be at least 1"),
        ({"deviation": 0.0}, "candidates.deviation=0 must be above 0"),
    ],
)
def test_a_setting_off_its_limits_is_told_in_one_sentence(change, sentence):
    with pytest.raises(UserError) as problem:
        configured(LocalSamples, "candidates", **SETTINGS | change)
    assert sentence in str(problem.value)
