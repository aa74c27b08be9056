"""Numbers within limits: both ends are allowed, nothing beyond, and what is no number never."""

import math
from types import SimpleNamespace

import pytest

from bayes_hpo.configuration.limits import check_limits
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
