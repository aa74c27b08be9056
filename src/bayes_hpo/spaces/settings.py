"""The settings of a space and of its subspaces, one mapping per hyperparameter; they are checked only here."""

from collections.abc import Iterable
from typing import Any

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.parameters import Category, Integer, LogInteger, Quantized, Real

Hyperparameter = Real | Quantized | Integer | LogInteger | Category

FLAGS = ("log", "integer", "nearest", "ordered")


def searched(mappings: dict[str, dict], fixed: dict) -> dict[str, dict]:
    """Mappings of the hyperparameters that are searched, by name.

    mappings: all mappings of a space.
    fixed: name -> value of the hyperparameters that are not searched.
    Raises: UserError for a mapping with a value and other keys, and for one that depends on a fixed hyperparameter.
    """
    free = {name: mapping for name, mapping in mappings.items() if name not in fixed}
    refuse(problem for name, mapping in free.items() for problem in _problems(name, mapping, fixed))
    return free


def is_fixed(mapping: dict) -> bool:
    """Whether a mapping consists of a value alone, so that its hyperparameter is not searched."""
    return isinstance(mapping, dict) and set(mapping) == {"value"}


def parameter(name: str, mapping: dict) -> Hyperparameter:
    """The hyperparameter that a mapping describes; the keys `when` and `default` are ignored.

    `choices` makes it a Category; `integer: true` an Integer or, with `log`, a LogInteger; `step` a Quantized; anything
    else a Real.
    Raises: UserError for an invalid mapping, and for invalid bounds, steps or choices.
    """
    try:
        given = {key: value for key, value in dict(mapping).items() if key not in ("when", "default")}
        if wrong := [flag for flag in FLAGS if not isinstance(given.get(flag, False), bool)]:
            raise ValueError(f"{wrong[0]} must be true or false")
        hyperparameter = _kind(given)(**given)
        refuse(f"{name}: {problem}" for problem in hyperparameter.problems())
    except (TypeError, ValueError) as problem:
        raise UserError(
            f"{name}: {mapping} must be the numbers low and high with log or integer (true or false), or choices"
        ) from problem
    return hyperparameter


def restricted(
    parameters: dict, forbidden: Iterable[dict], values: dict, names: Iterable[str]
) -> tuple[dict, list[dict]]:
    """The mappings and the forbidden clauses of a subspace (`Space.fix`).

    parameters, forbidden: those of the space.
    values: name -> fixed value.
    names: names of the searched hyperparameters, parents first.
    A fixed hyperparameter keeps the conditions that fail or may fail; a clause that is already fulfilled becomes empty.
    """
    kept = dict(parameters)

    def met(conditions):
        """Name -> whether the condition on it (a value or list of values) holds; None if it is searched."""
        known = {name: values[name] in listed(needed) for name, needed in conditions.items() if name in values}
        return {name: known.get(name) if name in kept else False for name in conditions}

    for name in names:
        when = kept[name].get("when", {})
        holds = met(when)
        if False in holds.values() and name not in values:
            del kept[name]
            continue
        mapping = {key: value for key, value in kept[name].items() if key != "when"}
        kept[name] = {"value": values[name]} if name in values else mapping
        if left := {parent: needed for parent, needed in when.items() if not holds[parent]}:
            kept[name]["when"] = left
    clauses = [(clause, met(clause)) for clause in forbidden]
    return kept, [{n: clause[n] for n in clause if not m[n]} for clause, m in clauses if False not in m.values()]


def listed(values: Any) -> list:
    """The value or list of values of a condition, as a list."""
    return values if isinstance(values, list) else [values]


def refuse(problems: Iterable[str]) -> None:
    """Raise a UserError with the first of the problems (sentences), if there is any."""
    for problem in problems:
        raise UserError(problem)


def _kind(given):
    """The hyperparameter class of a mapping (dict); removes its key `integer`."""
    if "choices" in given:
        return Category
    if given.pop("integer", False):
        return LogInteger if given.get("log") else Integer
    return Quantized if "step" in given else Real


def _problems(name, mapping, fixed):
    """Yield a sentence for each problem with a mapping, given the fixed hyperparameters."""
    if not isinstance(mapping, dict):
        parameter(name, mapping)  # raises UserError
    if "value" in mapping:
        yield f"{name}: {mapping} has a value, so it is not searched; leave out everything else"
    when = mapping.get("when", {})
    if isinstance(when, dict) and (idle := [parent for parent in when if parent in fixed]):
        yield f"{name}: {idle[0]} has a value, so nothing can depend on it; give it choices, or leave out when"
