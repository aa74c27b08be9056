"""Laws of building objects from the configuration: every wrong value is one sentence."""

import re
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.limits import PositiveInt, Range
from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Machine:
    size: int
    rate: float = 0.5
    name: str = "m"
    loud: bool = False
    mode: bool | str = "auto"
    part: object = None
    space: object = None


@dataclass(frozen=True)
class Typed:
    names: list[str] = ()
    counts: list[PositiveInt] = ()
    pair: tuple[int, int] = (1, 2)
    share: Annotated[float, Range(ge=0, le=1)] | None = None
    depth: PositiveInt | None = None
    free: Any = None


@dataclass(frozen=True)
class Kind:
    kind: type


def rule(pool, seeds, depth: int = 1):
    return pool, seeds, depth


def keyword_rule(pool, seeds, *, depth: int):
    return pool, seeds, depth


def _node(target="Machine", **values):
    return {"_target_": f"{__name__}.{target}", **values}


def test_a_class_becomes_an_instance():
    assert build(_node(size=3, rate=1), "machine") == Machine(3, 1)


@pytest.mark.parametrize("mode", [True, False, "auto"])
def test_a_value_of_any_of_the_annotated_types_is_taken(mode):
    assert build(_node(size=3, mode=mode), "machine").mode is mode


def test_a_function_is_bound_to_its_arguments():
    assert build(_node("rule", depth=4), "rule")("pool", "seeds") == ("pool", "seeds", 4)


def test_a_function_needs_its_keywords_when_it_is_built():
    assert build(_node("keyword_rule", depth=4), "rule")("pool", "seeds") == ("pool", "seeds", 4)
    with pytest.raises(UserError, match=r"rule: missing a required argument: 'depth'; .* takes pool, seeds, depth"):
        build(_node("keyword_rule"), "rule")


@pytest.mark.parametrize(
    "values",
    [
        {"names": ["a"]},
        {"counts": [1, 2]},
        {"pair": [3, 4]},
        {"share": 1},
        {"share": None},
        {"depth": None},
        {"free": [True]},
    ],
    ids=str,
)
def test_values_of_generic_types_are_taken(values):
    assert build(_node("Typed", **values), "typed") == Typed(**values)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"names": "ab"}, "typed.names: 'ab' is not of type list"),
        ({"names": {"a": 1}}, "typed.names: {'a': 1} is not of type list"),
        ({"names": [1]}, "typed.names: 1 is not of type str"),
        ({"counts": 5}, "typed.counts: 5 is not of type list"),
        ({"counts": [0]}, "typed.counts=0 must be at least 1"),
        ({"counts": [True]}, "typed.counts: True is not of type int"),
        ({"pair": 3}, "typed.pair: 3 is not of type tuple"),
        ({"share": 5.0}, "typed.share=5 must be at least 0 and at most 1"),
        ({"share": float("nan")}, "typed.share=nan must be at least 0 and at most 1"),
        ({"share": "half"}, "typed.share: 'half' is not of type float | None"),
        ({"depth": 0}, "typed.depth=0 must be at least 1"),
        ({"depth": "x"}, "typed.depth: 'x' is not of type int | None"),
        ({"depth": True}, "typed.depth: True is not of type int | None"),
    ],
    ids=str,
)
def test_other_values_of_generic_types_are_one_sentence(values, sentence):
    with pytest.raises(UserError, match=re.escape(sentence)):
        build(_node("Typed", **values), "typed")


def test_nested_nodes_are_built_first():
    assert build(_node(size=3, part=_node(size=4)), "machine").part == Machine(4)


def test_nodes_in_dicts_and_lists_are_built_too():
    parts = {"one": _node(size=1), "more": [_node(size=2), {"none": None}]}
    assert build(_node(size=3, part=parts), "machine").part == {"one": Machine(1), "more": [Machine(2), {"none": None}]}


def test_a_class_stands_as_its_dotted_name():
    assert build(_node("Kind", kind=f"{__name__}.Machine"), "kind") == Kind(Machine)
    with pytest.raises(UserError, match=r"part\.one\.kind: there is no bayes_hpo\.Gone"):
        build(_node(size=3, part={"one": _node("Kind", kind="bayes_hpo.Gone")}), "machine")


def test_objects_of_the_program_go_to_those_that_take_them():
    assert build(_node(size=3), "machine", space="space", budget=9) == Machine(3, space="space")
    assert build(_node("rule"), "rule", space="space")(1, 2) == (1, 2, 1)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"size": "ten"}, "machine.size: 'ten' is not of type int"),
        ({"size": 2.5}, "machine.size: 2.5 is not of type int"),
        ({"size": True}, "machine.size: True is not of type int"),
        ({"size": None}, "machine.size is null; give it a value"),
        ({"size": 3, "rate": "fast"}, "machine.rate: 'fast' is not of type float"),
        ({"size": 3, "rate": False}, "machine.rate: False is not of type float"),
        ({"size": 3, "name": 7}, "machine.name: 7 is not of type str"),
        ({"size": 3, "loud": 1}, "machine.loud: 1 is not of type bool"),
        ({"size": 3, "mode": 1}, "machine.mode: 1 is not of type bool | str"),
        ({"size": 3, "part": {"_target_": f"{__name__}.Machine", "size": "x"}}, "machine.part.size: 'x' is not"),
    ],
)
def test_a_value_of_the_wrong_type_names_its_place(values, sentence):
    with pytest.raises(UserError) as caught:
        build(_node(**values), "machine")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "node",
    [_node(), _node(size=3, siez=4), _node("rule", width=3)],
    ids=["missing", "misspelt", "of a function"],
)
def test_a_missing_or_unknown_argument_names_the_allowed_ones(node):
    allowed = "pool, seeds, depth" if node["_target_"].endswith("rule") else "size, rate, name, loud, mode, part, space"
    with pytest.raises(UserError, match=f"takes {allowed}"):
        build(node, "machine")


@pytest.mark.parametrize("name", ["no.such.module", "bayes_hpo.seeds.Nothing", "nothing", "", None, 5])
def test_an_unknown_target_is_named(name):
    with pytest.raises(UserError, match=r"machine\._target_: there is no"):
        build({"_target_": name}, "machine")


def test_a_node_without_a_target_is_named():
    with pytest.raises(UserError, match=r"machine\._target_"):
        build({"size": 3}, "machine")
