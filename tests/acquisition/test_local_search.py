"""Laws of local search: it climbs, never ends below its starts, stays valid, avoids what was tried."""

import numpy as np
import pytest
from hills import Hills

from bayes_hpo.acquisition.evaluated import Evaluated, ExcludeEvaluated
from bayes_hpo.acquisition.local_search import LocalSearch, hill_climb
from bayes_hpo.acquisition.maximize import best_sample
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space
from tests.configured import configured

UNIT = {"low": 0.0, "high": 1.0}
SPACE = Space(
    {
        "kind": {"choices": ["a", "b", "c", "d"], "ordered": True},
        "depth": {"low": 1, "high": 9, "integer": True, "nearest": True, "when": {"kind": "a"}},
        "share": UNIT | {"when": {"kind": ["a", "b"]}},
        "rate": UNIT | {"when": {"kind": "c"}},
    }
)
SEARCH = LocalSearch(n_starts=10, threshold=1e-5, steps=100)  # D5.7


def _points(n, seed):
    return SPACE.impute(SPACE.round_to_grid(SPACE.from_uniform(np.random.default_rng(seed).random((n, 4)))))


def _tried(points):
    return Evaluated(SPACE, points, best=points[0])


@pytest.mark.parametrize("seed", range(8))
def test_it_never_ends_lower_than_its_starts_so_never_than_the_best_sample(seed):
    """Tried points count as minus infinity (D5.12), so of the criterion itself the end may be below the best trial."""
    hills, candidates, tried = Hills(seed), _points(50, seed), _tried(_points(5, 100 + seed))
    untried = ExcludeEvaluated(hills, tried)
    end = untried.values(SEARCH(hills, candidates, tried, None)[None])[0]
    assert end >= untried.values(best_sample(hills, candidates, tried, None)[None])[0]
    assert end >= untried.values(SPACE.neighbours(tried.best)).max()  # it starts from the best trial too


@pytest.mark.parametrize("seed", range(4))
def test_it_starts_from_the_best_trial_and_the_nine_best_candidates(seed):
    """The points that it asks for first are their neighbours and no others."""
    hills, candidates, tried = Hills(seed), _points(50, seed), _tried(_points(5, 100 + seed))
    values = ExcludeEvaluated(hills, tried).values(candidates)
    starts = [*candidates[np.argsort(-values, kind="stable")[:9]], tried.best]
    hills.asked.clear()
    SEARCH(hills, candidates, tried, None)
    first = next(points for points in hills.asked if len(points) not in (1, 50))
    np.testing.assert_array_equal(first, np.concatenate([SPACE.neighbours(start) for start in starts]))


@pytest.mark.parametrize("seed", range(4))
def test_no_neighbour_of_its_end_is_better(seed):
    hills, tried = Hills(seed), _tried(_points(5, 100 + seed))
    end = SEARCH(hills, _points(50, seed), tried, None)
    near = ExcludeEvaluated(hills, tried).values(SPACE.neighbours(end))
    assert near.max() <= hills.values(end[None])[0] + 1e-5


@pytest.mark.parametrize("seed", range(4))
def test_it_never_leaves_the_active_subspace(seed):
    hills = Hills(seed)
    SEARCH(hills, _points(50, seed), _tried(_points(5, 100 + seed)), None)
    assert len(hills.asked) > 3
    for points in hills.asked:
        np.testing.assert_array_equal(points, SPACE.impute(SPACE.round_to_grid(points)))


def test_a_climb_takes_the_best_neighbour_step_by_step():
    line = np.array([0.0, 1.0, 3.0, 2.0, 5.0])  # from 0 up to 2, where it ends before the valley

    def neighbours(point):
        k = int(point[0])
        return np.array([[j] for j in (k - 1, k + 1) if 0 <= j < 5], dtype=float)

    class Line:
        @staticmethod
        def values(points):
            return line[points[:, 0].astype(int)]

    def ends(threshold, steps):
        points, values = hill_climb(Line, np.array([[0.0], [3.0]]), line[[0, 3]], neighbours, threshold, steps)
        return points[:, 0].tolist(), values.tolist()

    assert ends(1e-5, 100) == ([2, 4], [3, 5])
    assert ends(1e-5, 1) == ([1, 4], [1, 5])
    assert ends(1e-5, 0) == ([0, 3], [0, 2])
    assert ends(1.5, 100) == ([0, 4], [0, 5])  # a gain of 1 is no step


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("threshold", [0.0, 1e-5, 0.05])
def test_no_neighbour_of_any_end_is_better_by_more_than_the_threshold(seed, threshold):
    hills, starts = Hills(seed), _points(10, seed)
    ends, values = hill_climb(hills, starts, hills.values(starts), SPACE.neighbours, threshold, steps=100)
    np.testing.assert_allclose(values, hills.values(ends), rtol=1e-12)
    assert (values >= hills.values(starts)).all()
    for end, value in zip(ends, values, strict=True):
        assert hills.values(SPACE.neighbours(end)).max() <= value + threshold + 1e-12
    assert (ends != starts).any(axis=1).sum() > 3  # more climbs than that have left their starts


def test_where_nothing_is_higher_no_climb_leaves_its_start():
    class Flat:
        @staticmethod
        def values(points):
            return np.full(len(points), 0.3)

    starts = _points(10, 0)
    ends, values = hill_climb(Flat, starts, Flat.values(starts), SPACE.neighbours, threshold=0.0, steps=100)
    np.testing.assert_array_equal(ends, starts)
    np.testing.assert_array_equal(values, Flat.values(starts))


@pytest.mark.parametrize("maximizer", [SEARCH, best_sample], ids=["local search", "best sample"])
def test_what_was_tried_is_not_proposed_again_while_there_is_something_else(maximizer):
    class Kinds:
        @staticmethod
        def values(points):
            return 10.0 * (points[:, 0] == 1) + points[:, 3]  # kind d, a single configuration, is best

    d = SPACE.encode([{"kind": "d"}])
    candidates = np.concatenate([d, _points(30, 0)])
    assert SPACE.decode(maximizer(Kinds, candidates, _tried(_points(30, 1)[:1] * 0), None))["kind"] == "d"
    again = maximizer(Kinds, candidates, _tried(d), None)
    assert not _tried(d).contains(again[None])[0]


@pytest.mark.parametrize(
    ("name", "value", "least"), [("n_starts", 0, 1), ("steps", -1, 0), ("threshold", -1.0, 0), ("threshold", np.nan, 0)]
)
def test_a_setting_that_is_too_low_is_one_sentence(name, value, least):
    with pytest.raises(UserError, match=rf"^maximizer\.{name}={value:g} must be at least {least}$"):
        configured(LocalSearch, "maximizer", **{"n_starts": 1, "threshold": 0.0, "steps": 0} | {name: value})
