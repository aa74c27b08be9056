"""Laws of conditional spaces: what is active, the same configuration behind every code of it, neighbours, bad input."""

import json

import numpy as np
import pytest
from scipy.stats import chisquare

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space

RNG = np.random.default_rng(5)
UNIT = {"low": 0.0, "high": 1.0}
DEEP = Space(  # c needs a = x, d needs c in (2, 3), e needs both a = x and b = 1
    {
        "d": UNIT | {"when": {"c": [2, 3]}},
        "a": {"choices": ["x", "y", "z"]},
        "b": {"low": 0, "high": 1, "integer": True},
        "c": {"low": 1, "high": 4, "integer": True, "nearest": True, "when": {"a": "x"}},
        "e": UNIT | {"when": {"a": "x", "b": 1}},
        "f": {"choices": ["p", "q"], "ordered": True, "when": {"a": ["y", "z"]}},
    }
)
LEARNERS = {  # thesis, table 5.1
    "knn": {"n_neighbors": (1, 30)},
    "svm": {"C": (1e-5, 1e5), "tau": (1e-5, 1e5)},
    "linsvm": {"C": (1e-5, 1e5)},
    "dt": {"max_depth": (1, 10), "min_samples_split": (2, 100), "min_samples_leaf": (2, 100)},
    "rf": {"n_estimators": (1, 30), "max_depth": (1, 10), "min_samples_split": (2, 100), "min_samples_leaf": (2, 100)},
    "adab": {"n_estimators": (1, 30)},
    "gnb": {},
    "lda": {},
    "qda": {"reg_param": (1e-3, 1e3)},
}
WHOLE = [
    (f"{one}_{name}", *pair)
    for one, names in LEARNERS.items()
    for name, pair in names.items()
    if isinstance(pair[0], int)
]


@pytest.fixture(scope="module")
def cash():
    node = configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"]["cash"]
    return build(node, "space")


@pytest.fixture(params=["deep", "cash"])
def space(request):
    return DEEP if request.param == "deep" else request.getfixturevalue("cash")


def test_the_space_is_that_of_table_5_1(cash):
    assert len(cash) == 14
    assert cash.parameters["learner"].choices == list(LEARNERS)
    bounds = {
        f"{learner}_{name}": (own.low, own.high)
        for learner, names in LEARNERS.items()
        for name in names
        for own in [cash.parameters[f"{learner}_{name}"]]
    }
    assert bounds == {f"{one}_{name}": pair for one, names in LEARNERS.items() for name, pair in names.items()}


def test_a_configuration_holds_the_chosen_learners_hyperparameters_and_no_other(cash):
    for number, (learner, names) in enumerate(LEARNERS.items()):
        point = np.append([number / 8], RNG.random(13))  # 5.5: nine equal steps of [0, 1]
        assert set(cash.decode(point)) == {"learner", *(f"{learner}_{name}" for name in names)}
        assert cash.decode(point)["learner"] == learner


def test_a_condition_holds_down_the_whole_branch():
    points = RNG.random((500, 6))
    for point, active in zip(points, DEEP.active(points), strict=True):
        values = {name: p.decode(u) for (name, p), u in zip(DEEP.parameters.items(), point, strict=True)}
        c = values["a"] == "x"
        expected = {"a": True, "b": True, "c": c, "d": c and values["c"] in (2, 3), "e": c and values["b"] == 1}
        assert dict(zip(DEEP.parameters, active, strict=True)) == expected | {"f": values["a"] != "x"}
        assert set(DEEP.decode(point)) == {name for name, is_active in zip(values, active, strict=True) if is_active}


def test_numbers_are_rounded_to_the_nearest(cash):
    low = Space({"n": {"low": 1, "high": 5, "integer": True, "nearest": True}})
    for u, value in [(0, 1), (0.12, 1), (0.13, 2), (0.25, 2), (0.37, 2), (0.38, 3), (0.87, 4), (0.88, 5), (1, 5)]:
        assert low.decode([u]) == {"n": value}
    assert low.encode([{"n": 2}]).tolist() == [[0.25]]
    assert cash.encode([{"learner": "svm", "svm_C": 1.0, "svm_tau": 1e5}])[0, [0, 2, 3]].tolist() == [1 / 8, 0.5, 1]


@pytest.mark.parametrize(("name", "low", "high"), WHOLE)
def test_whole_numbers_of_table_5_1_are_the_nearest_to_their_point_of_the_range(cash, name, low, high):  # thesis, 5.5
    u = np.linspace(0, 1, 1001)
    values = [cash.parameters[name].decode(point) for point in u]
    assert {type(value) for value in values} == {int}
    assert np.abs(values - (low + u * (high - low))).max() <= 0.5 + 1e-9


@pytest.mark.slow
def test_every_value_is_drawn_equally_often_also_at_the_ends(cash):
    drawn = [cash.sample(RNG) for _ in range(9000)]
    _, learners = np.unique([configuration["learner"] for configuration in drawn], return_counts=True)
    _, neighbours = np.unique([c["knn_n_neighbors"] for c in drawn if c["learner"] == "knn"], return_counts=True)
    assert len(learners) == 9
    assert len(neighbours) == 30
    assert min(chisquare(learners).pvalue, chisquare(neighbours).pvalue) > 0.001


def test_snapped_and_imputed_points_are_the_codes_of_their_configurations(space):
    points = RNG.random((300, len(space)))
    configurations = [space.decode(point) for point in points]
    placed = space.impute(space.round_to_grid(points))
    np.testing.assert_allclose(placed, space.encode(configurations), atol=1e-12)
    assert json.loads(json.dumps(configurations)) == configurations
    np.testing.assert_array_equal(space.impute(space.round_to_grid(placed)), placed)
    np.testing.assert_array_equal(space.active(placed), space.active(points))
    np.testing.assert_array_equal(space.signatures(placed), space.signatures(points))
    for configuration, again in zip(configurations, map(space.decode, placed), strict=True):
        assert set(configuration) == set(again)
        assert all(again[name] == pytest.approx(value, rel=1e-12) for name, value in configuration.items())


def test_imputation_leaves_active_coordinates_alone_and_puts_the_others_in_the_middle(space):
    points = RNG.random((200, len(space)))
    active = space.active(points)
    assert 0 < active.mean() < 1
    np.testing.assert_array_equal(space.impute(points)[active], points[active])
    assert (space.impute(points)[~active] == 0.5).all()
    np.testing.assert_array_equal(space.round_to_grid(points)[~active], points[~active])


def test_signatures_are_equal_where_all_active_conditions_are(space):
    points = space.from_uniform(RNG.random((400, len(space))))
    parents = [list(space.parameters)[k] for k in space.conditions.parents]
    values = [tuple(configuration.get(name) for name in parents) for configuration in map(space.decode, points)]
    signatures = space.signatures(points)
    assert len(set(zip(values, signatures, strict=True))) == len(set(values)) == len(set(signatures))


def test_the_learners_without_hyperparameters_are_different_blocks(cash):  # D5.10
    gnb, lda = cash.signatures(cash.encode([{"learner": "gnb"}, {"learner": "lda"}]))
    assert gnb != lda


def test_without_conditions_everything_is_active_and_one_block():
    flat = Space({"x": UNIT, "kind": {"choices": ["a", "b"]}})
    points = RNG.random((50, 2))
    assert flat.active(points).all()
    assert set(flat.signatures(points)) == {0}
    np.testing.assert_array_equal(flat.impute(points), points)


def test_neighbours_differ_by_one_step_of_an_active_hyperparameter(space):
    for point in space.impute(space.round_to_grid(RNG.random((100, len(space))))):
        own = space.decode(point)
        for near in space.neighbours(point):
            other = space.decode(near)
            changed = [name for name in own if name in other and own[name] != other[name]]
            parents = {list(space.parameters)[k] for k in space.conditions.parents}
            assert len(changed) == 1
            if changed[0] not in parents:
                assert set(own) == set(other)
            np.testing.assert_array_equal(near, space.impute(space.round_to_grid(near[None]))[0])


def test_the_steps_are_those_of_d7(cash):
    svm = cash.encode([{"learner": "svm", "svm_C": 1.0, "svm_tau": 1e5}])[0]
    found = [cash.decode(near) for near in cash.neighbours(svm)]
    assert [c["learner"] for c in found] == ["knn", "linsvm", "svm", "svm", "svm"]  # the root is an integer: one step
    assert found[0]["knn_n_neighbors"] == 16  # D5.7: what is newly active starts in the middle, rounded (15.5 goes up)
    assert found[1]["linsvm_C"] == pytest.approx(1)
    assert [c["svm_C"] for c in found[2:]] == pytest.approx([10**-0.5, 10**0.5, 1])
    assert [c["svm_tau"] for c in found[2:]] == pytest.approx([1e5, 1e5, 10**4.5])  # at a bound: one way only
    forest = {"learner": "rf", "rf_n_estimators": 30, "rf_max_depth": 5, "rf_min_samples_split": 2}
    found = [cash.decode(near) for near in cash.neighbours(cash.encode([forest | {"rf_min_samples_leaf": 9}])[0])]
    assert [c["rf_n_estimators"] for c in found if c["learner"] == "rf"] == [29, 30, 30, 30, 30, 30]
    assert sorted(c["rf_min_samples_leaf"] for c in found if c["learner"] == "rf") == [8, 9, 9, 9, 9, 10]


def test_a_category_steps_to_all_other_choices():
    kinds = Space({"kind": {"choices": list("abcd")}})
    assert [kinds.decode(near)["kind"] for near in kinds.neighbours(np.array([0.4]))] == ["a", "c", "d"]


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"x": UNIT | {"when": {"y": 1}}}, "x: there is no hyperparameter y; known: x"),
        ({"x": UNIT | {"when": {"y": 1}}, "y": UNIT}, "x: y is real; a condition needs a parent with choices"),
        ({"x": UNIT | {"when": {"y": "c"}}, "y": {"choices": ["a", "b"]}}, "x: y cannot be c; it is one of a, b"),
        ({"x": UNIT | {"when": {"y": 40}}, "y": {"low": 1, "high": 30, "integer": True}}, "it is from 1 to 30"),
        ({"x": UNIT | {"when": "y"}, "y": {"choices": ["a", "b"]}}, "x: when=y must name a parent and its value"),
        (
            {"x": UNIT | {"when": {"y": []}}, "y": {"choices": ["a", "b"]}},
            "x: when names no value of y; it is one of a",
        ),
        ({"x": UNIT | {"when": {"y": 1}}, "y": {"value": 1}}, "x: y has a value, so nothing can depend on it"),
        ({"x": {"value": 1, "when": {"y": 1}}, "y": UNIT}, "has a value, so it is not searched; leave out everything"),
        (
            {f"p{k}": {"low": 1, "high": 100, "integer": True} for k in range(10)}
            | {"x": UNIT | {"when": {f"p{k}": 1 for k in range(10)}}},
            "the values of 10 parents have more combinations than signatures can number",
        ),
        ({"x": {"choices": [1, 2], "when": {"x": 1}}}, "the conditions of x form a cycle"),
        (
            {"x": {"choices": [1, 2], "when": {"y": 1}}, "y": {"choices": [1, 2], "when": {"x": 1}}, "z": UNIT},
            "the conditions of x, y form a cycle",
        ),
        (
            {
                "below": UNIT | {"when": {"x": 1}},  # waits for the cycle and is none of it
                "x": {"choices": [1, 2], "when": {"y": 1}},
                "y": {"choices": [1, 2], "when": {"x": 1}},
            },
            "the conditions of x, y form a cycle",
        ),
    ],
)
def test_conditions_that_are_none_are_told_in_one_sentence(parameters, sentence):
    with pytest.raises(UserError, match=r"^[^\n]+$") as problem:
        Space(parameters)
    assert sentence in str(problem.value)


@pytest.mark.parametrize(
    ("configuration", "sentence"),
    [
        ({"learner": "gnb", "svm_C": 1.0}, "svm_C is not active in {'learner': 'gnb', 'svm_C': 1.0}; leave it out"),
        ({"learner": "svm", "svm_C": 1.0}, "lacks svm_tau"),
        ({"learner": "gnb", "depth": 3}, "depth is not a hyperparameter; allowed: learner, knn_n_neighbors"),
        ({"learner": "mlp"}, "learner=mlp is not in the search space"),
        ({"learner": "adab", "adab_n_estimators": 31}, "adab_n_estimators=31 is not in the search space"),
        ({"learner": "qda", "qda_reg_param": True}, "qda_reg_param=True is not in the search space"),
        ({"learner": "qda", "qda_reg_param": 1e4}, "qda_reg_param=10000.0 is not in the search space"),
    ],
)
def test_a_configuration_that_is_none_is_told_in_one_sentence(cash, configuration, sentence):
    with pytest.raises(UserError, match=r"^[^\n]+$") as problem:
        cash.encode([configuration])
    assert sentence in str(problem.value)
