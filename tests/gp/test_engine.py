"""Laws of the engine's settings."""

import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.gp.engine import LOWEST, Engine
from bayes_hpo.spaces.space import Space

SETTINGS = {"candidates": 8, "burn_in": 2, "samples": 2, "refined": 2, "around_best": 2, "objective_scale": 50.0}


@pytest.mark.parametrize("name", LOWEST)
def test_a_setting_that_is_too_low_is_named(name):
    space = Space({"x": {"low": 0, "high": 1}})
    with pytest.raises(UserError, match=f"{name}=-1 is too low; take .* or more"):
        Engine(space=space, **SETTINGS | {name: -1})
    Engine(space=space, **SETTINGS | {name: LOWEST[name]})
