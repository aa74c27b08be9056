"""The limits that numbers of the configuration must lie within."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Limit:
    """A limit of a constructor's argument, as in `restarts: Annotated[int, at_least(1)]`; `build` checks it.

    words: what is allowed, before the bound. holds: function of a value and the bound; False for nan.
    """

    words: str
    holds: Callable[[float, float], bool]
    bound: float

    def check(self, path: str, value: float) -> None:
        """Raises: UserError for a value that does not keep the limit; path: where it stands in the configuration."""
        if not self.holds(value, self.bound):
            raise UserError(f"{path}={value:g} must be {self.words} {self.bound:g}")


at_least = partial(Limit, "at least", operator.ge)
above = partial(Limit, "above", operator.gt)
at_most = partial(Limit, "at most", operator.le)
below = partial(Limit, "below", operator.lt)


def check_limits(path: str, values: Any, **limits: tuple[float, float]) -> None:
    """Raises: UserError for the first number that does not lie within its limits; nan lies within none.

    path: where the numbers stand in the configuration, such as "measure".
    values: an object that has them as attributes.
    limits: name of a number -> (lowest, highest), both allowed.
    """
    for name, (low, high) in limits.items():
        value = getattr(values, name)
        if not low <= value <= high:
            raise UserError(f"{path}.{name}={value} must lie between {low:g} and {high:g}")
