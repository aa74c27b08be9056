"""Laws of random exchanges of one choice."""

from collections import Counter

import numpy as np
import pytest
from probable_pools import SPACE
from scipy.stats import chisquare

from bayes_hpo.spaces.exchange import exchanges, resampled
from bayes_hpo.spaces.space import Space

NAMES = list(SPACE.parameters)
ROUND_B = {"kind": "b", "x": 0.25, "shape": "round", "y": 1.0}


def _children(configuration, count=5, seed=0):
    point = SPACE.encode([configuration])
    return point[0], exchanges(SPACE, point, count, resampled, np.random.default_rng(seed))


def test_a_child_differs_in_one_active_choice_and_in_what_it_activates():
    _, children = _children(ROUND_B, 400)
    assert len(children) == 400
    changed = Counter()
    for child in map(SPACE.decode, children):
        roots = [name for name in ROUND_B if name in child and child[name] != ROUND_B[name]]
        lost, new = set(ROUND_B) - set(child), set(child) - set(ROUND_B)
        if "kind" in roots:  # c keeps the children of b; a has others
            assert set(roots) == {"kind"}
            assert (new, lost) == (({"depth"}, {"shape", "y"}) if child["kind"] == "a" else (set(), set()))
        elif "shape" in roots or lost:
            assert child["shape"] == "flat"
            assert (new, lost) == (set(), {"y"})
        else:
            assert len(roots) == 1
        changed[(roots or ["shape"])[0]] += 1
    assert set(changed) == set(ROUND_B)


def test_what_becomes_active_is_sampled():
    depths = [child["depth"] for child in map(SPACE.decode, _children(ROUND_B, 4000)[1]) if child["kind"] == "a"]
    assert set(depths) == set(range(1, 9))
    assert chisquare(np.bincount(depths)[1:]).pvalue > 1e-3


def test_every_active_choice_moves_equally_often():
    numbers = Space({name: {"low": 0.0, "high": 1.0} for name in "pqrs"})
    start = np.full((1, 4), 0.5)
    moved = (exchanges(numbers, start, 2000, resampled, np.random.default_rng(0)) != start).argmax(axis=1)
    assert chisquare(np.bincount(moved)).pvalue > 1e-3


def test_children_are_imputed_allowed_and_new():
    for configuration in (
        ROUND_B,
        {"kind": "a", "x": 1.0, "depth": 3},
        {"kind": "c", "x": 0.0, "shape": "round", "y": 9.0},
    ):
        parent, children = _children(configuration, 200)
        np.testing.assert_array_equal(children, SPACE.impute(SPACE.round_to_grid(children)))
        assert SPACE.allowed(children).all()
        assert (children != parent).any(axis=1).all()
        SPACE.encode([SPACE.decode(child) for child in children])


def test_each_point_has_its_own():
    points = SPACE.encode([ROUND_B, {"kind": "a", "x": 0.75, "depth": 3}])
    children = exchanges(SPACE, points, 5, resampled, np.random.default_rng(0))
    assert len(children) == 10
    for parent, of_parent in zip(points, np.split(children, 2), strict=True):
        assert ((of_parent != parent).sum(axis=1) <= 4).all()
        assert max((of_parent == parent)[:, 1].sum(), (of_parent == parent)[:, 0].sum()) > 0


@pytest.mark.parametrize("space", [Space({"a": {"choices": [1, 2]}, "b": {"choices": [1, 2]}}, [{"a": 2}, {"b": 2}])])
def test_where_nothing_else_is_allowed_there_are_none(space):
    assert len(exchanges(space, space.encode([{"a": 1, "b": 1}]), 5, resampled, np.random.default_rng(0))) == 0
