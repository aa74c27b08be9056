"""Laws of SMAC's local search and of its neighbours."""

import numpy as np
import pytest
from hills import Hills
from scipy.stats import kstest, truncnorm

from bayes_hpo.acquisition.evaluated import Evaluated
from bayes_hpo.acquisition.first_improvement import FirstImprovement
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space
from tests.configured import configured

UNIT = {"low": 0.0, "high": 1.0}
SPACE = Space(
    {
        "kind": {"choices": ["a", "b", "c", "d"]},
        "depth": {"low": 1, "high": 9, "integer": True, "nearest": True, "when": {"kind": "a"}},
        "share": UNIT | {"when": {"kind": ["a", "b"]}},
        "size": {"choices": ["s", "m", "l", "xl", "xxl"], "ordered": True, "when": {"kind": "c"}},
    }
)
KINDS = Space({"kind": {"choices": list(range(40))}})
SETTINGS = {"n_starts": 10, "draws": 4, "deviation": 0.2, "threshold": 1e-5, "steps": 100}
SMAC = FirstImprovement(**SETTINGS)


class Table:
    """A value for each of the forty kinds, and how often it was asked."""

    def __init__(self, values):
        self.table, self.calls = np.array(values, dtype=float), 0

    def values(self, points):
        self.calls += 1
        return self.table[KINDS.parameters["kind"].bins.number(points[:, 0])]


def _points(n, seed, space=SPACE):
    return space.impute(space.from_uniform(np.random.default_rng(seed).random((n, len(space)))))


def _end(criterion, candidates, tried, seed=0, **changes):
    return FirstImprovement(**SETTINGS | changes)(criterion, candidates, tried, np.random.default_rng(seed))


def _tried(points, space=SPACE):
    return Evaluated(space, points, best=points[0])


def _kind(number):
    return KINDS.encode([{"kind": number}])


def _drawn(space, point, coordinate, times=200):
    """What was drawn for a coordinate (drawn,), and how many neighbours changed it alone each time (times,)."""
    rng = np.random.default_rng(3)
    near = [SMAC.neighbours(space, point, rng) for _ in range(times)]
    others = np.arange(len(point)) != coordinate
    changed = [part[(part == point)[:, others].all(axis=1), coordinate] for part in near]
    return np.concatenate(changed), np.array([len(part) for part in changed])


@pytest.mark.parametrize("seed", range(8))
def test_it_never_ends_lower_than_its_starts(seed):
    hills, candidates, tried = Hills(seed), _points(50, seed), _tried(_points(5, 100 + seed))
    end = hills.values(_end(hills, candidates, tried, seed)[None])[0]
    assert end >= hills.values(candidates[~tried.contains(candidates)]).max()
    best_only = _end(hills, candidates[:1], tried, seed, n_starts=1)  # one climb, from the best trial
    assert hills.values(best_only[None])[0] >= hills.values(candidates[:1])[0]


def test_climbs_end_higher_than_the_candidates_on_average():
    def found(steps):
        ends = [_end(Hills(k), _points(5, k), _tried(_points(5, k + 100)), steps=steps) for k in range(30)]
        return np.mean([Hills(k).values(end[None])[0] for k, end in enumerate(ends)])

    assert found(steps=0) + 0.01 < found(steps=100)


def test_it_starts_from_the_best_trial_and_the_best_candidates():
    hills, candidates, tried = Hills(0), _points(50, 0), _tried(_points(5, 100))
    _end(hills, candidates, tried)
    best = candidates[np.argsort(-hills.values(candidates))[:9]]
    np.testing.assert_array_equal(hills.asked[1], np.concatenate([tried.best[None], best]))


@pytest.mark.parametrize("seed", range(4))
def test_it_never_leaves_the_valid_points(seed):
    hills = Hills(seed)
    _end(hills, _points(9, seed), _tried(_points(5, 100 + seed)), seed)
    assert len(hills.asked) > 3
    for points in hills.asked:
        np.testing.assert_array_equal(points, SPACE.impute(SPACE.round_to_grid(points)))
        assert points.min() >= 0
        assert points.max() <= 1


def test_it_goes_on_to_the_first_better_neighbour_not_to_the_best():
    calls = set()
    for seed in range(20):
        ladder = Table(range(40))  # each kind is a neighbour of each
        end = _end(ladder, _kind(0), _tried(_kind(0), KINDS), seed, n_starts=1)
        assert KINDS.decode(end) == {"kind": 39}
        calls.add(ladder.calls)
    assert min(calls) > 3  # candidates, start, a neighbourhood from which one step would do, the last one
    assert len(calls) > 3  # the order is random


@pytest.mark.parametrize(("gain", "climbs"), [(1.1e-5, True), (0.9e-5, False)])
def test_a_gain_that_does_not_pass_the_threshold_is_no_step(gain, climbs):
    table = Table([0.5, *[0.5 + gain] * 39])
    _end(table, _kind(0), _tried(_kind(0), KINDS), n_starts=1)
    assert table.calls == (4 if climbs else 3)


def test_what_was_tried_is_not_proposed_again_while_there_is_something_else():
    falling = Table(range(40, 0, -1))
    tried, candidates = _tried(np.concatenate([_kind(k) for k in (0, 1, 2)]), KINDS), np.concatenate([_kind(2)])
    assert KINDS.decode(_end(falling, np.concatenate([candidates, _kind(7)]), tried)) == {"kind": 7}
    assert KINDS.decode(_end(falling, candidates, tried)) == {"kind": 2}  # nothing else: the first candidate


def test_where_the_criterion_is_flat_the_first_candidate_is_proposed():
    candidates = _points(30, 1)
    flat = Table([0.3] * 40)
    tried = _tried(_points(5, 2))
    np.testing.assert_array_equal(_end(flat, candidates, tried), candidates[~tried.contains(candidates)][0])


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_a_number_has_neighbours_from_a_normal_distribution_that_ends_at_the_cube(share):
    point = SPACE.encode([{"kind": "b", "share": share}])[0]
    drawn, counts = _drawn(SPACE, point, 2)
    assert set(counts) == {4}
    law = truncnorm(-share / 0.2, (1 - share) / 0.2, loc=share, scale=0.2)
    assert kstest(drawn, law.cdf).pvalue > 0.01


def test_whole_numbers_and_ordered_categories_are_drawn_too_and_never_stay():
    point = SPACE.encode([{"kind": "a", "depth": 2, "share": 0.5}])[0]
    drawn, counts = _drawn(SPACE, point, 1)
    depths = {SPACE.decode([point[0], u, 0.5, 0.5])["depth"] for u in drawn}
    assert {1, 3, 4, 5} <= depths <= set(range(1, 10)) - {2}
    assert counts.max() == 4 > counts.mean() > 2
    drawn, _ = _drawn(SPACE, SPACE.encode([{"kind": "c", "size": "m"}])[0], 3)
    assert {SPACE.decode([0.7, 0.5, 0.5, u])["size"] for u in drawn} == {"s", "l", "xl", "xxl"}


def test_a_category_has_all_others_once_and_what_it_activates_stands_in_the_middle():
    point = SPACE.encode([{"kind": "b", "share": 0.9}])[0]
    near = [SPACE.decode(other) for other in SMAC.neighbours(SPACE, point, np.random.default_rng(0))]
    moved = sorted((c for c in near if c["kind"] != "b"), key=lambda c: c["kind"])
    assert moved == [{"kind": "a", "depth": 5, "share": 0.9}, {"kind": "c", "size": "l"}, {"kind": "d"}]


def test_neighbours_differ_in_one_active_hyperparameter_and_come_in_random_order():
    point = SPACE.encode([{"kind": "a", "depth": 5, "share": 0.5}])[0]
    own, orders = SPACE.decode(point), set()
    for seed in range(30):
        near = [SPACE.decode(other) for other in SMAC.neighbours(SPACE, point, np.random.default_rng(seed))]
        changed = [[name for name in own if name in other and own[name] != other[name]] for other in near]
        assert {len(names) for names in changed} == {1}
        orders.add(tuple(names[0] for names in changed[:3]))
    assert len(orders) > 10


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n_starts": 0}, "maximizer.n_starts=0 must be at least 1"),
        ({"draws": 0}, "maximizer.draws=0 must be at least 1"),
        ({"steps": -1}, "maximizer.steps=-1 must be at least 0"),
        ({"deviation": 0.0}, "maximizer.deviation=0 must be above 0"),
        ({"threshold": -1.0}, "maximizer.threshold=-1 must be at least 0"),
        ({"threshold": np.nan}, "maximizer.threshold=nan must be at least 0"),
    ],
)
def test_a_setting_that_is_too_low_is_one_sentence(change, sentence):
    with pytest.raises(UserError) as problem:
        configured(FirstImprovement, "maximizer", **SETTINGS | change)
    assert str(problem.value) == sentence
