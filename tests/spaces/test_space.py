"""Laws of search spaces: decoding and encoding are inverse, draws are uniform in the cube."""

import json
import math

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space

SPACE = Space({"C": {"low": 1e-5, "high": 1e5, "log": True}, "share": {"low": -2.0, "high": 6.0}})
RNG = np.random.default_rng(0)


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


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({}, "no hyperparameter"),
        ({"C": {"low": 1.0, "high": 1.0}}, "C: low=1 must be below high=1"),
        ({"C": {"low": 2.0, "high": 1.0}}, "C: low=2 must be below high=1"),
        ({"C": {"low": 0.0, "high": 1.0, "log": True}}, "C: a logarithmic scale needs bounds above zero"),
        ({"C": {"low": float("nan"), "high": 1.0}}, "C: low=nan must be below"),
        ({"C": {"low": 0.0, "high": float("inf")}}, "both finite"),
        ({"C": {"low": 0.0, "hihg": 1.0}}, "C: "),
        ({"C": {"low": 0.0}}, "C: "),
        ({"C": {"low": "a", "high": 1.0}}, "C: "),
        ({"C": 3}, "C: "),
    ],
)
def test_wrong_bounds_are_one_sentence(parameters, sentence):
    with pytest.raises(UserError) as caught:
        Space(parameters)
    assert sentence in str(caught.value)


def test_a_point_of_another_dimension_is_refused():
    with pytest.raises(ValueError, match=r"shorter|longer"):
        SPACE.decode([0.5])
