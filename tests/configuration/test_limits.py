"""Ranges of numbers: what lies in them, what does not and what is no number, wherever they stand."""

import math
from dataclasses import dataclass
from typing import Annotated

import pytest

from bayes_hpo.configuration.limits import PositiveInt, Range, check_ranges
from bayes_hpo.errors import UserError

LENGTH = Annotated[float, Range(ge=-1, le=10)]


@dataclass
class Inner:
    steps: list[PositiveInt]


@dataclass
class Outer:
    rate: Annotated[float, Range(gt=0, lt=1)]
    inner: Inner
    counts: dict[str, PositiveInt]


VALUES = {"rate": 0.5, "inner": {"steps": [1, 2]}, "counts": {"a": 1}}


@pytest.mark.parametrize("value", [-1, 0.5, 10])
def test_both_ends_and_what_lies_between_are_allowed(value):
    check_ranges(value, LENGTH, "measure.length")


@pytest.mark.parametrize("value", [-1.5, 11, math.nan, math.inf, -math.inf])
def test_all_else_is_one_sentence(value):
    with pytest.raises(UserError, match=rf"^measure\.length={value:g} must be at least -1 and at most 10$"):
        check_ranges(value, LENGTH, "measure.length")


@pytest.mark.parametrize("value", [0, 1, math.nan])
def test_ends_that_are_not_allowed_are_named(value):
    with pytest.raises(UserError, match=rf"^study\.rate={value:g} must be above 0 and below 1$"):
        check_ranges(VALUES | {"rate": value}, Outer, "study")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"inner": {"steps": [1, 0]}}, "study.inner.steps=0 must be at least 1"),
        ({"counts": {"a": 1, "b": -2}}, "study.counts.b=-2 must be at least 1"),
    ],
)
def test_every_number_is_checked_at_any_depth(change, words):
    check_ranges(VALUES, Outer, "study")
    with pytest.raises(UserError, match=f"^{words}$"):
        check_ranges(VALUES | change, Outer, "study")
