"""Numbers within limits: both ends are allowed, nothing beyond, and what is no number never."""

import math
from types import SimpleNamespace

import pytest

from bayes_hpo.configuration.limits import above, at_least, at_most, below, check_limits
from bayes_hpo.errors import UserError


@pytest.mark.parametrize("value", [-1, 0.5, 10])
def test_both_ends_and_what_lies_between_are_allowed(value):
    check_limits("measure", SimpleNamespace(length=value), length=(-1, 10))


@pytest.mark.parametrize("value", [-1.5, 11, math.nan, math.inf, -math.inf])
def test_all_else_is_one_sentence(value):
    with pytest.raises(UserError, match=rf"^measure\.length={value:g} must lie between -1 and 10$"):
        check_limits("measure", SimpleNamespace(length=value), length=(-1, 10))


def test_every_number_is_checked():
    with pytest.raises(UserError, match=r"^data\.b=3 must"):
        check_limits("data", SimpleNamespace(a=1, b=3), a=(0, 1), b=(0, 2))


@pytest.mark.parametrize(
    ("limit", "allowed", "sentence"),
    [
        (at_least(1), [1, 2.5, math.inf], "path.n=0.5 must be at least 1"),
        (above(0), [1e-300, math.inf], "path.n=0 must be above 0"),
        (at_most(1), [1, -5], "path.n=1.5 must be at most 1"),
        (below(1), [0.99, -5], "path.n=1 must be below 1"),
    ],
)
def test_one_limit_allows_what_its_sentence_says(limit, allowed, sentence):
    for value in allowed:
        limit.check("path.n", value)
    for off in (float(sentence.split("=")[1].split()[0]), math.nan):
        with pytest.raises(UserError) as problem:
            limit.check("path.n", off)
        assert str(problem.value) == sentence.replace(f"={sentence.split('=')[1].split()[0]}", f"={off:g}")
