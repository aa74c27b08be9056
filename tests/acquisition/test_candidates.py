"""Laws of the candidates: Spearmint's grid and the points around the best; samples of a conditional space."""

import re

import numpy as np
import pytest
from scipy.stats import chisquare
from scipy.stats.qmc import Sobol

from bayes_hpo.acquisition.candidates import (
    ImputedSamples,
    Samples,
    ScrambledSobol,
    SobolGrid,
    UniformStart,
    sobol_grid,
)
from bayes_hpo.acquisition.evaluated import Evaluated
from bayes_hpo.errors import UserError
from bayes_hpo.pool import History, Proposal, Trial
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space
from tests.configured import configured

SEEDS = Seeds("study", "toy", 0)
SPACE = Space(
    {
        "kind": {"choices": ["a", "b", "c"], "ordered": True},
        "depth": {"low": 1, "high": 5, "integer": True, "nearest": True, "when": {"kind": "a"}},
        "share": {"low": 0.0, "high": 1.0, "when": {"kind": ["a", "b"]}},
    }
)
FLAT = Space({"x": {"low": 0, "high": 1}, "y": {"low": 0, "high": 1}})
POINTS = np.random.default_rng(1).random((300, 3))
GRID = SobolGrid(64, around_best=2)
PAIRS = [(64, 0), (64, 0), (64, 1), (50, 0)]  # size, seed
TRIAL = Trial(Proposal({}, 0), np.zeros(1))


def _tried(points, best=(0.4, 0.6)):
    return Evaluated(FLAT, np.array(points).reshape(-1, 2), best=np.array(best))


@pytest.mark.parametrize(
    ("kind", "name", "least"),
    [(SobolGrid, "size", 2), (SobolGrid, "around_best", 1), (Samples, "size", 1), (ImputedSamples, "size", 1)],
)
@pytest.mark.parametrize("off", [-1, 0, 10**11])
def test_a_number_off_its_limits_is_named(kind, name, least, off):
    settings = {"size": 2, "around_best": 1} if kind is SobolGrid else {}
    words = f"candidates.{name}={off:g} must be at least {least} and at most 1e+07"
    with pytest.raises(UserError, match=re.escape(words)):
        configured(kind, "candidates", **settings | {name: off})


def test_a_uniform_start_draws_by_trial_and_then_it_is_the_grid():
    uniform, conditional = UniformStart(64, around_best=2), Evaluated(SPACE, POINTS[:0], best=None)
    drawn = [uniform.initial(conditional, t, SEEDS) for t in range(200)]
    np.testing.assert_array_equal(uniform.initial(conditional, 7, SEEDS), drawn[7])  # whatever came before
    share = np.transpose(drawn)[2]  # a real coordinate
    assert chisquare(np.histogram(share, 5, (0, 1))[0]).pvalue > 1e-3
    tried, rng = _tried([[0.5, 0.5]]), np.random.default_rng
    np.testing.assert_array_equal(uniform.generate(tried, rng(0)), GRID.generate(tried, rng(0)))


def test_the_grid_is_the_unscrambled_sobol_sequence_from_its_start():
    np.testing.assert_array_equal(sobol_grid(3, 50), Sobol(3, scramble=False).random(64)[:50])
    np.testing.assert_array_equal([GRID.initial(_tried([]), t, SEEDS) for t in range(2)], [[0, 0], [0.5, 0.5]])  # D13


def test_a_used_grid_point_is_not_offered():
    grid = sobol_grid(2, 64)
    offered = GRID.generate(_tried(grid[[0, 5]]), np.random.default_rng(0))
    np.testing.assert_array_equal(offered[:-2], np.delete(grid, [0, 5], axis=0))
    np.testing.assert_array_equal(GRID.generate(_tried([]), np.random.default_rng(0))[:-2], grid)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_points_around_the_best_are_drawn_by_the_generator_that_was_handed_over(seed):
    best = np.array([0.4, 0.6])
    near = GRID.generate(_tried([], best), np.random.default_rng(seed))[-2:]
    drawn = 1e-3 * np.random.default_rng(seed).standard_normal((2, 2))  # Spearmint's spread
    np.testing.assert_allclose(near - best, drawn, rtol=1e-9)


def test_the_grids_model_sees_points_as_they_are():
    assert GRID.transform(SPACE, POINTS) is POINTS


def test_samples_are_rounded_and_imputed_ones_say_nothing_of_what_is_inactive():
    np.testing.assert_array_equal(Samples(9).transform(SPACE, POINTS), SPACE.round_to_grid(POINTS))
    imputed, active = ImputedSamples(9).transform(SPACE, POINTS), SPACE.active(POINTS)
    np.testing.assert_array_equal(imputed[active], SPACE.round_to_grid(POINTS)[active])
    assert (imputed[~active] == 0.5).all()


def test_samples_take_every_value_equally_often_and_are_new_in_every_draw():
    tried, rng = Evaluated(SPACE, POINTS, best=POINTS[0]), np.random.default_rng(4)
    one, other = (ImputedSamples(6000).generate(tried, rng) for _ in range(2))
    assert not np.array_equal(one, other)
    _, kinds = np.unique(one[:, 0], return_counts=True)
    _, depths = np.unique(one[one[:, 0] == 0, 1], return_counts=True)
    assert (len(kinds), len(depths)) == (3, 5)
    assert min(chisquare(kinds).pvalue, chisquare(depths).pvalue) > 0.001


def test_imputation_is_all_in_which_the_two_kinds_of_samples_differ():
    tried = Evaluated(SPACE, POINTS, best=POINTS[0])
    raw, imputed = (kind(50).generate(tried, np.random.default_rng(4)) for kind in (Samples, ImputedSamples))
    np.testing.assert_array_equal(SPACE.impute(raw), imputed)
    nothing = Evaluated(SPACE, POINTS[:0], best=None)
    first, imputed = (kind(50).initial(nothing, 1, SEEDS) for kind in (Samples, ImputedSamples))
    np.testing.assert_array_equal(SPACE.impute(first[None])[0], imputed)
    assert not np.array_equal(ImputedSamples(50).initial(nothing, 0, SEEDS), imputed)
    again = ImputedSamples(50).initial(Evaluated(SPACE, imputed[None], best=None), 1, SEEDS)
    assert SPACE.decode(again) != SPACE.decode(imputed)  # not what was tried


@pytest.mark.parametrize("kind", [Samples, ImputedSamples])
def test_a_point_was_tried_when_the_model_has_seen_it(kind):
    placed, active = kind(9).transform(SPACE, POINTS), SPACE.active(POINTS)
    tried = Evaluated(SPACE, placed[:40], best=placed[0])
    assert tried.contains(placed[:40]).all()
    nearby = np.where(active & (np.arange(3) == 1), POINTS + 1e-3, POINTS)  # rounded to the same depth
    assert tried.contains(kind(9).transform(SPACE, nearby)[:40]).mean() > 0.9
    others = placed[40:][active[40:, 2]]  # with a real value of their own
    assert not tried.contains(others).any()
    assert not Evaluated(SPACE, placed[:0], best=placed[0]).contains(placed).any()


def test_two_points_that_differ_in_what_is_inactive_are_one_only_where_it_is_imputed():  # D5.12
    moved, some = np.where(SPACE.active(POINTS), POINTS, 0.123), ~SPACE.active(POINTS).all(axis=1)
    for kind, known in ((ImputedSamples, True), (Samples, False)):
        tried = Evaluated(SPACE, kind(9).transform(SPACE, POINTS[some]), best=POINTS[0])
        assert set(tried.contains(kind(9).transform(SPACE, moved[some]))) == {known}


@pytest.mark.parametrize("strata", [2, 16, 64])
def test_a_scrambled_sequence_hits_equal_strata_of_every_coordinate_equally_often(strata):
    points = ScrambledSobol(64).generate(_tried([]), np.random.default_rng(0))
    for coordinate in points.T:
        np.testing.assert_array_equal(np.histogram(coordinate, strata, (0, 1))[0], 64 // strata)
    squares = np.histogram2d(*points.T, bins=8, range=[(0, 1)] * 2)[0]
    np.testing.assert_array_equal(squares, 1)  # 64 elementary intervals: the two coordinates are a net together


def test_a_scrambled_sequence_is_another_one_for_every_generator_and_longer_ones_go_on():
    grids = [ScrambledSobol(size).generate(_tried([]), np.random.default_rng(seed)) for size, seed in PAIRS]
    np.testing.assert_array_equal(grids[0], grids[1])
    assert [len(grid) for grid in grids] == [size for size, _ in PAIRS]
    assert not set(grids[0][:, 0]) & set(grids[2][:, 0])
    np.testing.assert_array_equal(grids[3], grids[0][:50])
    np.testing.assert_array_equal(np.histogram(grids[3][:32, 0], 32, (0, 1))[0], 1)  # in the order of the sequence
    evaluated = _tried([[0.1, 0.2]])
    np.testing.assert_array_equal(ScrambledSobol(64).generate(evaluated, np.random.default_rng(0)), grids[0])


def test_a_scrambled_sequence_is_seen_as_samples_are_and_starts_as_random_search():
    evaluated, scrambled = Evaluated(SPACE, POINTS[:0], best=None), ScrambledSobol(512)
    points = scrambled.generate(evaluated, np.random.default_rng(0))
    np.testing.assert_array_equal(points, ImputedSamples(1).transform(SPACE, points))
    kinds, counts = np.unique(points[:, 0], return_counts=True)
    assert len(kinds) == 3
    assert np.ptp(counts) <= 2  # every value equally often
    random = RandomSearch(SPACE)
    trials = [SPACE.decode(scrambled.initial(evaluated, t, SEEDS)) for t in range(20)]
    for t, configuration in enumerate(trials):
        assert configuration == random.propose(History([TRIAL] * t), SEEDS).configuration
    assert len({*map(str, trials)}) > 10


@pytest.mark.parametrize("kind", [Samples, ImputedSamples])
def test_no_sample_is_forbidden(kind):
    space = Space(
        {"a": {"choices": [1, 2, 3]}, "b": {"choices": [1, 2]}, "x": {"low": 0, "high": 1}}, [{"a": 2, "b": 1}]
    )
    evaluated = Evaluated(space, np.empty((0, 3)), best=None)
    generated = kind(200).generate(evaluated, np.random.default_rng(0))
    drawn = {(c["a"], c["b"]) for c in map(space.decode, generated)}
    assert drawn == {(1, 1), (1, 2), (2, 2), (3, 1), (3, 2)}
    space.encode([space.decode(kind(9).initial(evaluated, t, SEEDS)) for t in range(20)])
