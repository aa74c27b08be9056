"""Laws of forbidden clauses: no draw and no neighbour fulfils one, no such configuration is encoded."""

from pathlib import Path

import numpy as np
import pytest
from omegaconf import OmegaConf
from scipy.stats import chisquare

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space

RNG = np.random.default_rng(3)
UNIT = {"low": 0.0, "high": 1.0}
LINEAR = {
    "penalty": {"choices": ["l1", "l2"]},
    "loss": {"choices": ["hinge", "squared"]},
    "dual": {"choices": [True, False]},
    "C": UNIT,
}
CLAUSES = [
    {"penalty": "l1", "loss": "hinge"},
    {"dual": False, "penalty": "l2", "loss": "hinge"},
    {"dual": True, "penalty": "l1"},
]
LEGAL = {("l1", "squared", False), ("l2", "hinge", True), ("l2", "squared", True), ("l2", "squared", False)}
SPACE = Space(LINEAR, CLAUSES)


def _legal(configuration):
    return tuple(configuration[name] for name in ("penalty", "loss", "dual")) in LEGAL


@pytest.fixture(scope="module")
def divbo():
    return build(OmegaConf.to_container(OmegaConf.load(Path(__file__).with_name("divbo.yaml")))["space"], "space")


def test_no_draw_is_forbidden_and_all_others_are_equally_often():
    drawn = [SPACE.sample(RNG) for _ in range(2000)]
    assert all(map(_legal, drawn))
    _, counts = np.unique([str([c["penalty"], c["loss"], c["dual"]]) for c in drawn], return_counts=True)
    assert len(counts) == len(LEGAL)
    assert chisquare(counts).pvalue > 0.001
    points = SPACE.draw(500, np.random.default_rng(0))
    assert points.shape == (500, 4)
    assert all(map(_legal, map(SPACE.decode, points)))


def test_clauses_leave_the_draws_of_what_is_allowed_as_they_are():
    free = Space(LINEAR)
    for seed in range(50):
        first = free.sample(np.random.default_rng(seed))
        assert not _legal(first) or SPACE.sample(np.random.default_rng(seed)) == first


def test_a_point_is_allowed_where_its_configuration_is_legal():
    points = RNG.random((300, 4))
    assert SPACE.allowed(points).tolist() == [_legal(SPACE.decode(point)) for point in points]


def test_a_forbidden_configuration_is_not_encoded():
    legal = {"penalty": "l2", "loss": "hinge", "dual": True, "C": 0.5}
    assert SPACE.encode([legal]).shape == (1, 4)
    with pytest.raises(UserError, match=r"^\{'penalty': 'l1'.*\} is forbidden: \{'penalty': 'l1', 'loss': 'hinge'\}$"):
        SPACE.encode([legal, legal | {"penalty": "l1"}])


def test_no_neighbour_is_forbidden_and_no_other_is_left_out(divbo):
    free, forbidden = Space(LINEAR), 0
    for point in SPACE.draw(100, RNG):
        near, expected = SPACE.neighbours(point), free.neighbours(point)
        legal = [_legal(SPACE.decode(other)) for other in expected]
        np.testing.assert_array_equal(near, expected[legal])
        forbidden += len(expected) - len(near)
    assert forbidden > 0
    for point in divbo.draw(100, RNG):
        assert divbo.allowed(divbo.neighbours(point)).all()


def test_a_clause_forbids_nothing_where_one_of_its_hyperparameters_is_inactive():
    space = Space(
        {"kind": {"choices": ["a", "b"]}, "x": {"choices": [1, 2], "when": {"kind": "a"}}, "y": {"choices": [1, 2]}},
        [{"x": 2, "y": [1, 2]}],
    )
    assert space.encode([{"kind": "b", "y": 1}, {"kind": "a", "x": 1, "y": 1}]).shape == (2, 3)
    with pytest.raises(UserError, match="is forbidden"):
        space.encode([{"kind": "a", "x": 2, "y": 2}])
    points = space.from_uniform(RNG.random((400, 3)))
    assert space.allowed(points).tolist() == [space.decode(point).get("x") != 2 for point in points]


def test_draws_of_the_space_of_divbo_can_be_encoded_again(divbo):
    drawn = [divbo.sample(RNG) for _ in range(500)]
    points = divbo.encode(drawn)
    assert divbo.allowed(points).all()
    for configuration, point in zip(drawn, points, strict=True):
        again = divbo.decode(point)
        assert set(again) == set(configuration)
        assert all(again[name] == pytest.approx(value, rel=1e-12) for name, value in configuration.items())


@pytest.mark.parametrize(
    ("clauses", "sentence"),
    [
        (["penalty"], "forbidden: a clause=penalty must name a parent and its value"),
        ([{}], "forbidden: a clause without a value forbids everything"),
        ([{"solver": 1}], "forbidden: there is no hyperparameter solver; known: penalty, loss, dual, C"),
        ([{"penalty": "l3"}], "forbidden: penalty cannot be l3; it is one of l1, l2"),
        ([{"C": 0.5}], "forbidden: C is real"),
        ([{"penalty": []}], "forbidden: a clause names no value of penalty"),
    ],
)
def test_an_invalid_clause_is_told_in_one_sentence(clauses, sentence):
    with pytest.raises(UserError, match=r"^[^\n]+$") as problem:
        Space(LINEAR, clauses)
    assert sentence in str(problem.value)


def test_a_space_in_which_all_is_forbidden_ends_the_draw():
    space = Space({"x": {"choices": [1, 2]}}, [{"x": [1, 2]}])
    with pytest.raises(UserError, match="1000 draws in turn were forbidden"):
        space.sample(RNG)
