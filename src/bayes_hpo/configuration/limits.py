"""Ranges of numbers in the configuration, declared once each, in the annotation of an argument or schema key.

    trees: PositiveInt
    features: Annotated[float, Range(gt=0, le=1)]

`build` checks the arguments of a `_target_`, `compose` the keys of a schema. The names follow pydantic.
"""

from dataclasses import asdict, dataclass, is_dataclass
from functools import cache
from operator import ge, gt, le, lt
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from bayes_hpo.errors import UserError

COMPARISONS = {"ge": (ge, "at least"), "gt": (gt, "above"), "le": (le, "at most"), "lt": (lt, "below")}


@dataclass(frozen=True)
class Range:
    """The numbers >= ge, > gt, <= le and < lt, for the bounds that are given."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None

    def __contains__(self, number: float) -> bool:
        """Whether a number lies in the range; NaN never does."""
        return all(COMPARISONS[name][0](number, bound) for name, bound in self._bounds())

    def __str__(self) -> str:
        return " and ".join(f"{COMPARISONS[name][1]} {bound:g}" for name, bound in self._bounds())

    def _bounds(self):
        return [(name, bound) for name, bound in asdict(self).items() if bound is not None]


PositiveInt = Annotated[int, Range(ge=1)]
NonNegativeInt = Annotated[int, Range(ge=0)]
PositiveFloat = Annotated[float, Range(gt=0)]
NonNegativeFloat = Annotated[float, Range(ge=0)]


def check_ranges(value: Any, annotation: Any, path: str) -> None:
    """Check the numbers in a value, at any depth, against the ranges in its annotation.

    path: location of the value in the configuration, for the error message.
    Raises: UserError for the first number outside its range.
    """
    origin, kinds = get_origin(annotation), get_args(annotation)
    if origin is Annotated and isinstance(value, int | float):
        for allowed in [kind for kind in kinds if isinstance(kind, Range) and value not in kind]:
            raise UserError(f"{path}={value:g} must be {allowed}")
    elif origin in (UnionType, Union):
        for kind in kinds:
            check_ranges(value, kind, path)
    elif origin is list and isinstance(value, list):
        for element in value:
            check_ranges(element, kinds[0], path)
    elif isinstance(value, dict):
        annotations = dict.fromkeys(value, kinds[1]) if origin is dict else _annotations(annotation)
        for name, inner in annotations.items():
            check_ranges(value[name], inner, f"{path}.{name}".lstrip("."))


@cache
def _annotations(schema):
    """Key -> annotation (dict) of a schema; empty for other types."""
    return get_type_hints(schema, include_extras=True) if is_dataclass(schema) else {}
