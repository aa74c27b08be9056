"""Laws of search spaces: decoding and encoding are inverse, draws are uniform in the cube, cells are equal."""

import json
import math

import numpy as np
import pytest
from scipy.stats import chisquare

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space

SPACE = Space({"C": {"low": 1e-5, "high": 1e5, "log": True}, "share": {"low": -2.0, "high": 6.0}})
DEPTH = {"low": -1, "high": 5, "integer": True}
KINDS = ["poly", 3, None, True]
MIXED = Space({"depth": DEPTH, "seed": {"value": 42}, "kind": {"choices": KINDS}})
RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("bounds", "corner"), [((0.3, 0.7, True), 0.0), ((0.001, 3.0, True), 1.0), ((-0.7, 0.3, False), 1.0)]
)
def test_what_decodes_from_a_corner_is_in_the_space_however_it_is_rounded(bounds, corner):
    low, high, log = bounds
    space = Space({"C": {"low": low, "high": high, "log": log}})
    assert not low <= space.decode([corner])["C"] <= high  # rounding has carried it over the bound
    assert space.encode([space.decode([0.0]), space.decode([1.0])]).tolist() == [[0.0], [1.0]]


@pytest.mark.parametrize("value", [0.3 * (1 - 1e-6), 0.7 * (1 + 1e-6)])
def test_what_lies_further_over_a_bound_is_not_in_the_space(value):
    with pytest.raises(UserError, match="is not in the search space"):
        Space({"C": {"low": 0.3, "high": 0.7, "log": True}}).encode([{"C": value}])


def test_the_corners_of_the_cube_are_the_bounds():
    assert SPACE.decode([0, 0]) == {"C": 1e-5, "share": -2.0}
    assert SPACE.decode([1, 1]) == {"C": 1e5, "share": 6.0}


def test_the_middle_is_the_middle_of_the_exponents():
    assert SPACE.decode([0.5, 0.5]) == {"C": 1.0, "share": 2.0}
    assert math.isclose(SPACE.decode([0.7, 0])["C"], 100)


def test_encoding_undoes_decoding():
    points = np.vstack([RNG.random((200, 2)), [[0, 0], [1, 1], [0.5, 0.5]]])
    np.testing.assert_allclose(SPACE.encode([SPACE.decode(u) for u in points]), points, atol=1e-14)


def test_decoding_undoes_encoding():
    for configuration in (SPACE.sample(RNG) for _ in range(200)):
        (again,) = (SPACE.decode(u) for u in SPACE.encode([configuration]))
        assert all(math.isclose(again[name], value, rel_tol=1e-12) for name, value in configuration.items())


def test_draws_are_uniform_in_the_exponent():
    points = SPACE.encode([SPACE.sample(RNG) for _ in range(4000)])
    for coordinate in points.T:
        gap = np.abs(np.sort(coordinate) - np.linspace(0, 1, 4000)).max()
        assert gap < 1.95 / math.sqrt(4000)  # Kolmogorov and Smirnov, p = .001
    assert abs(np.corrcoef(points.T)[0, 1]) < 0.06


def test_a_draw_is_its_generators_alone():
    assert SPACE.sample(np.random.default_rng(7)) == SPACE.sample(np.random.default_rng(7))


def test_the_order_of_the_parameters_is_kept():
    assert list(SPACE.decode([0, 0])) == ["C", "share"]
    assert len(SPACE) == 2


def test_no_configuration_is_an_empty_matrix():
    assert SPACE.encode([]).shape == (0, 2)


def test_a_configuration_is_plain_and_survives_json_bit_for_bit():
    configuration = SPACE.decode(np.array([0.123456789, 1 / 3]))
    assert {type(value) for value in configuration.values()} == {float}
    assert json.loads(json.dumps(configuration)) == configuration


@pytest.mark.parametrize("u", [0.0, 0.3, 1 - 1e-16, 1.0, *np.arange(29) / 28])
def test_integers_and_categories_have_equal_cells(u):
    expected = {"depth": -1 + min(math.floor(7 * u), 6), "seed": 42, "kind": KINDS[min(math.floor(4 * u), 3)]}  # 1.2
    decoded = MIXED.decode([u, u])
    assert decoded == expected
    assert json.loads(json.dumps(decoded)) == decoded
    assert type(decoded["depth"]) is int


def test_an_integer_or_a_category_is_encoded_as_the_middle_of_its_cell():
    for number, (depth, kind) in enumerate(zip(range(-1, 6), (KINDS * 2)[:7], strict=True)):
        (point,) = MIXED.encode([{"depth": depth, "kind": kind, "seed": 42}])
        np.testing.assert_allclose(point, [(number + 0.5) / 7, (number % 4 + 0.5) / 4], rtol=1e-14)
        assert MIXED.decode(point) == {"depth": depth, "kind": kind, "seed": 42}


def test_integers_and_categories_are_drawn_equally_often():
    drawn = [MIXED.sample(RNG) for _ in range(7000)]
    for name, count in (("depth", 7), ("kind", 4)):
        _, counts = np.unique([str(configuration[name]) for configuration in drawn], return_counts=True)
        assert len(counts) == count
        assert chisquare(counts).pvalue > 0.001


def test_what_is_fixed_is_no_dimension_and_stands_in_every_configuration():
    assert len(MIXED) == 2
    assert list(MIXED.parameters) == ["depth", "kind"]
    assert MIXED.sample(RNG)["seed"] == 42
    assert MIXED.encode([MIXED.sample(RNG)]).shape == (1, 2)


@pytest.mark.parametrize("value", [None, 0, "rbf", [1, 2]])
def test_every_value_may_be_fixed(value):
    space = Space({"x": {"low": 0, "high": 1}, "y": {"value": value}})
    assert space.decode([0.5]) == {"x": 0.5, "y": value}
    assert space.encode([json.loads(json.dumps(space.decode([0.5])))]) == [[0.5]]


@pytest.mark.parametrize(
    ("fixed", "sentence"),
    [
        ({}, "{'depth': 0, 'kind': 'poly'} lacks seed"),
        ({"seed": 43}, "seed=43 is not in the search space: its value is 42"),
        ({"seed": None}, "seed=None is not in the search space: its value is 42"),
        ({"seed": 42, "sed": 42}, "sed is not a hyperparameter; allowed: depth, kind, seed"),
    ],
)
def test_a_configuration_has_the_fixed_values(fixed, sentence):
    good = MIXED.decode([0.5, 0.5])
    with pytest.raises(UserError) as caught:
        MIXED.encode([good, {"depth": 0, "kind": "poly"} | fixed])
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({}, "no free hyperparameter; give one a range"),
        ({"C": {"value": 1.0}}, "no free hyperparameter; give one a range"),
        ({"C": {"low": 1.0, "high": 1.0}}, "C: low=1 must be below high=1"),
        ({"C": {"low": 2.0, "high": 1.0}}, "C: low=2 must be below high=1"),
        ({"C": {"low": 1.0, "high": 2.0, "log": 3}}, "with log or integer (true or false)"),
        ({"C": {"low": 1, "high": 2, "integer": "false"}}, "with log or integer (true or false)"),
        ({"C": {"low": 0.0, "high": 1.0, "log": True}}, "C: a logarithmic scale needs bounds above zero"),
        ({"C": {"low": float("nan"), "high": 1.0}}, "C: low=nan must be below"),
        ({"C": {"low": 0.0, "high": float("inf")}}, "both finite"),
        ({"C": {"low": 0.0, "hihg": 1.0}}, "C: "),
        ({"C": {"low": 0.0}}, "C: "),
        ({"C": {"low": "a", "high": 1.0}}, "C: "),
        ({"C": 3}, "C: "),
        ({"C": {"low": -1.0, "high": 1.0, "log": True}}, "C: a logarithmic scale needs bounds above zero, not low=-1"),
        ({"k": DEPTH | {"low": 5}}, "k: low=5 must be below high=5, both whole numbers"),
        ({"k": DEPTH | {"low": 6}}, "k: low=6 must be below high=5, both whole numbers"),
        ({"k": DEPTH | {"low": 0.5}}, "k: low=0.5 must be below high=5, both whole numbers"),
        ({"k": DEPTH | {"high": True}}, "both whole numbers"),
        ({"k": DEPTH | {"log": True}}, "k: "),
        ({"k": {"choices": ["a"]}}, "k: choices=['a'] must be a list of at least two different values"),
        ({"k": {"choices": ["a", "b", "a"]}}, "at least two different values"),
        ({"k": {"choices": [1, True]}}, "at least two different values"),
        ({"k": {"choices": []}}, "at least two different values"),
        ({"k": {"choices": "ab"}}, "must be a list"),
        ({"k": {"choices": [[1], [2]]}}, "k: "),
        ({"k": {"choices": ["a", "b"], "low": 0}}, "k: "),
    ],
)
def test_wrong_bounds_are_one_sentence(parameters, sentence):
    with pytest.raises(UserError) as caught:
        Space(parameters)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_point_of_another_dimension_is_refused():
    with pytest.raises(ValueError, match=r"shorter|longer"):
        SPACE.decode([0.5])
