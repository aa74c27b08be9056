"""Converts a ConfigurationSpace of the package ConfigSpace (extra `configspace`) to the settings of a search space."""

from collections.abc import Iterable, Iterator
from functools import reduce
from importlib import import_module
from typing import Any

from bayes_hpo.errors import UserError

MODULE = "ConfigSpace"
BOUNDS = {"UniformFloatHyperparameter": {}, "UniformIntegerHyperparameter": {"integer": True}}
OTHERS = ("NotEqualsCondition", "GreaterThanCondition", "LessThanCondition")


def is_one(given: Any) -> bool:
    """Whether an object is an instance of a ConfigSpace class; works without the package."""
    return type(given).__module__.partition(".")[0] == MODULE


def settings(given: Any) -> tuple[dict, list[dict]]:
    """The parameters (dict, name -> mapping) and forbidden clauses (list) of a ConfigurationSpace.

    Raises: UserError without the package, for other objects, and for features that a `Space` cannot express.
    """
    try:
        package = import_module(MODULE)
    except ImportError as problem:
        raise UserError(f"{MODULE} is not installed; run: pip install 'bayes-hpo[configspace]'") from problem
    if not isinstance(given, package.ConfigurationSpace):
        raise UserError(f"{given!r} is not a ConfigurationSpace; give one, or a dict, or the path of a YAML file")
    mappings = {name: _mapping(given[name]) for name in given}
    for condition in given.conditions:
        for name, parent, values in _conditions(condition):
            when = mappings[name].setdefault("when", {})
            when[parent] = [value for value in when.get(parent, values) if value in values]
    return mappings, [dict(_clause(forbidden)) for forbidden in given.forbidden_clauses]


def _mapping(hyperparameter):
    """The mapping of one hyperparameter."""
    kind = type(hyperparameter).__name__
    if kind == "Constant":
        return {"value": _plain(hyperparameter.value)}
    if kind in BOUNDS:
        mapping = {"low": _plain(hyperparameter.lower), "high": _plain(hyperparameter.upper)} | BOUNDS[kind]
        mapping |= {"log": True} if hyperparameter.log else {}
    elif kind == "OrdinalHyperparameter":
        mapping = {"choices": _listed(hyperparameter.sequence), "ordered": True}
    elif kind == "CategoricalHyperparameter" and len(set(map(float, hyperparameter.probabilities))) == 1:
        mapping = {"choices": _listed(hyperparameter.choices)}
        if len(hyperparameter.choices) == 1:
            return {"value": mapping["choices"][0]}
    else:
        raise UserError(
            f"{hyperparameter.name} is a {kind} that a Space does not have; it has uniform floats and integers, "
            "ordinals, categories without weights, and constants"
        )
    return mapping | {"default": _plain(hyperparameter.default_value)}


def _conditions(condition) -> Iterator[tuple[str, str, list]]:
    """Yield (child, parent, values of the parent) of each condition that must hold."""
    kind = type(condition).__name__
    if kind == "AndConjunction":
        for component in condition.components:
            yield from _conditions(component)
    elif kind == "OrConjunction":
        held = [pair for component in condition.components for pair in _conditions(component)]
        if len({pair[:2] for pair in held}) > 1 or len(held) > len(condition.components):
            raise UserError(f"{condition} joins several parents by or, which a Space does not; split the child in two")
        yield *held[0][:2], reduce(lambda first, second: first + second, (values for *_, values in held))
    else:
        yield condition.child.name, condition.parent.name, _values(kind, condition)


def _values(kind, condition) -> list:
    """The values of the parent for which a condition on a single parent holds."""
    if kind == "EqualsCondition":
        return [_plain(condition.value)]
    if kind == "InCondition":
        return _listed(condition.values)
    every = _every(condition.parent)
    if every is None or kind not in OTHERS:
        raise UserError(f"{condition} is a condition that a Space does not have; name values of a parent with choices")
    if kind == "NotEqualsCondition":
        return [value for value in every if value != _plain(condition.value)]
    place = every.index(_plain(condition.value))  # ordinals are ordered as their sequence
    return every[place + 1 :] if kind == "GreaterThanCondition" else every[:place]


def _every(parent) -> list | None:
    """All values of a hyperparameter in order; None if it is real-valued."""
    if hasattr(parent, "choices") or hasattr(parent, "sequence"):
        return _listed(getattr(parent, "choices", None) or parent.sequence)
    return list(range(parent.lower, parent.upper + 1)) if "Integer" in type(parent).__name__ else None


def _clause(forbidden) -> Iterator[tuple[str, Any]]:
    """Yield (name, value or list of values) of a forbidden clause."""
    kind = type(forbidden).__name__
    if kind == "ForbiddenAndConjunction":
        for component in forbidden.components:
            yield from _clause(component)
    elif kind == "ForbiddenEqualsClause":
        yield forbidden.hyperparameter.name, _plain(forbidden.value)
    elif kind == "ForbiddenInClause":
        yield forbidden.hyperparameter.name, _listed(forbidden.values)
    else:
        raise UserError(f"{forbidden} is a clause that a Space does not have; forbid values, joined by and")


def _listed(values: Iterable) -> list:
    return [_plain(value) for value in values]


def _plain(value):
    """The value as a plain Python object instead of a numpy scalar."""
    return value.item() if hasattr(value, "item") else value
