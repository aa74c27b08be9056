"""Laws of numbers with steps and of whole numbers on a log scale: values, draws, neighbours, invalid settings."""

import json
import math

import numpy as np
import pytest
from scipy.stats import chisquare, kstest

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space

RNG = np.random.default_rng(4)
STEPS = {  # settings -> all values
    "trees": ({"low": 100, "high": 1000, "integer": True, "step": 50}, list(range(100, 1001, 50))),
    "nearest": ({"low": -4, "high": 8, "integer": True, "step": 3, "nearest": True}, [-4, -1, 2, 5, 8]),
    "share": ({"low": 0.7, "high": 1.0, "step": 0.1}, [0.7, 0.8, 0.9, 1.0]),
    "exponent": ({"low": 0.0, "high": 1.0, "step": 0.05}, [k / 20 for k in range(21)]),
    "log": ({"low": 1, "high": 100, "integer": True, "log": True}, list(range(1, 101))),
}
each = pytest.mark.parametrize(("settings", "values"), STEPS.values(), ids=STEPS)


@each
def test_every_value_is_decoded_from_its_code_and_no_other_value_is(settings, values):
    space = Space({"x": settings})
    assert [space.decode(point)["x"] for point in space.encode([{"x": value} for value in values])] == values
    decoded = [space.decode([u])["x"] for u in np.linspace(0, 1, 5001)]
    assert decoded == sorted(decoded)
    assert list(dict.fromkeys(decoded)) == values
    assert {type(value) for value in decoded} == {type(values[0])}
    assert json.loads(json.dumps(decoded)) == decoded


@each
def test_rounding_gives_the_codes(settings, values):
    space, points = Space({"x": settings}), RNG.random((300, 1))
    rounded = space.round_to_grid(points)
    np.testing.assert_array_equal(rounded, space.encode([space.decode(point) for point in points]))
    np.testing.assert_array_equal(space.round_to_grid(rounded), rounded)


@pytest.mark.parametrize("name", ["trees", "nearest", "share", "exponent"])
def test_values_with_steps_are_drawn_equally_often(name):
    settings, values = STEPS[name]
    space = Space({"x": settings})
    drawn = [space.sample(RNG)["x"] for _ in range(200 * len(values))]
    assert chisquare([drawn.count(value) for value in values]).pvalue > 0.001


def test_whole_numbers_on_a_log_scale_are_drawn_evenly_in_the_exponent():
    space = Space({"x": {"low": 1, "high": 1000, "integer": True, "log": True}})
    drawn = np.array([space.sample(RNG)["x"] for _ in range(3000)])
    within = np.log(drawn + RNG.random(3000) - 0.5)  # somewhere in the bin
    assert kstest(within, "uniform", (math.log(0.5), math.log(1000.5) - math.log(0.5))).pvalue > 1e-4
    assert 0.2 < (drawn <= 5).mean() < 0.4


@each
def test_neighbours_are_the_next_values(settings, values):
    space = Space({"x": settings})
    for number, value in enumerate(values):
        near = [space.decode(point)["x"] for point in space.neighbours(space.encode([{"x": value}])[0])]
        if "log" not in settings:
            assert near == [*values[max(number - 1, 0) : number], *values[number + 1 : number + 2]]
        else:
            assert near == sorted(near)
            assert [low for low in near if low < value] or number == 0
            assert [high for high in near if high > value] or value == values[-1]
            assert value not in near


def test_a_neighbour_on_a_log_scale_is_a_real_ones_step_away():
    space = Space({"x": {"low": 50, "high": 5000, "integer": True, "log": True}})
    below, above = (space.decode(point)["x"] for point in space.neighbours(space.encode([{"x": 500}])[0]))
    assert below / 500 == pytest.approx(100**-0.05, rel=0.01)
    assert above / 500 == pytest.approx(100**0.05, rel=0.01)


@pytest.mark.parametrize(
    ("settings", "value"),
    [("trees", 125), ("trees", 200.0), ("share", 0.75), ("share", True), ("log", 0), ("log", True), ("nearest", 0)],
)
def test_what_lies_between_the_steps_is_not_in_the_space(settings, value):
    with pytest.raises(UserError, match="is not in the search space"):
        Space({"x": STEPS[settings][0]}).encode([{"x": value}])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"low": 0.0, "high": 1.0, "step": 0.3}, "step=0.3 must be above zero and lead from low=0.0 to high=1.0"),
        ({"low": 0.0, "high": 1.0, "step": -0.5}, "step=-0.5 must be above zero"),
        ({"low": 1, "high": 9, "integer": True, "step": 3}, "step=3 must be above zero and lead from low=1 to high=9"),
        ({"low": 1, "high": 9, "integer": True, "step": 0}, "step=0 must be above zero"),
        ({"low": 1, "high": 9, "integer": True, "step": 0.5}, "step=0.5 must be a whole number"),
        ({"low": 0.5, "high": 1.0, "step": 0.1, "log": True}, "must be the numbers low and high"),
        ({"low": 1, "high": 9, "integer": True, "log": True, "step": 2}, "must be the numbers low and high"),
        ({"low": 0, "high": 9, "integer": True, "log": True}, "a logarithmic scale needs bounds above zero, not low=0"),
        ({"low": 1.5, "high": 9, "integer": True, "log": True}, "both whole numbers"),
        ({"low": 0.0, "high": 1.0, "step": "wide"}, "must be the numbers low and high"),
    ],
)
def test_invalid_steps_are_told_in_one_sentence(settings, sentence):
    with pytest.raises(UserError, match=r"^x: [^\n]+$") as problem:
        Space({"x": settings})
    assert sentence in str(problem.value)


def test_steps_may_be_conditions():
    space = Space({"x": STEPS["share"][0], "y": {"low": 0.0, "high": 1.0, "when": {"x": [0.7, 0.9]}}})
    for configuration in (space.sample(RNG) for _ in range(50)):
        assert ("y" in configuration) == (configuration["x"] in (0.7, 0.9))
