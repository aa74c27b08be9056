"""The settings of a space and of its sub-spaces, a mapping for each hyperparameter; checked here and nowhere else."""

from collections.abc import Iterable
from typing import Any

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.parameters import Category, Integer, LogInteger, Quantized, Real

Hyperparameter = Real | Quantized | Integer | LogInteger | Category

FLAGS = ("log", "integer", "nearest", "ordered")


def searched(mappings: dict[str, dict], fixed: dict) -> dict[str, dict]:
    """The mappings of the hyperparameters that are searched, by name.

    mappings: all of a space. fixed: name -> value of those that are not searched.
    Raises: UserError for one that has a value beside other keys, or depends on a fixed hyperparameter.
    """
    free = {name: mapping for name, mapping in mappings.items() if name not in fixed}
    refuse(problem for name, mapping in free.items() for problem in _problems(name, mapping, fixed))
    return free


def is_fixed(mapping: dict) -> bool:
    """Whether a mapping gives a value, and nothing else, to a hyperparameter that is not searched."""
    return isinstance(mapping, dict) and set(mapping) == {"value"}


def parameter(name: str, mapping: dict) -> Hyperparameter:
    """The hyperparameter of a mapping, in which the keys `when` and `default` are ignored.

    With choices it is a Category, with integer: true an Integer or, with log, a LogInteger, with step a Quantized,
    else a Real. Raises: UserError for any other mapping, and for invalid bounds, steps or choices.
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
    """The mappings and the forbidden clauses of a sub-space (`Space.fix`).

    parameters, forbidden: those of the space.
    values: name -> fixed value.
    names: of the searched hyperparameters, parents first.
    A fixed value keeps conditions that do not hold, or not always; a clause that is fulfilled already is left empty.
    """
    kept = dict(parameters)

    def met(conditions):
        """Which conditions (name -> value or list of values) hold; None where the hyperparameter is searched."""
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
    """The value or the list of values of a condition, as a list."""
    return values if isinstance(values, list) else [values]


def refuse(problems: Iterable[str]) -> None:
    """Raises: UserError with the first of the problems (sentences), if there is any."""
    for problem in problems:
        raise UserError(problem)


def _kind(given):
    """The class of a mapping (dict), from which `integer` is removed."""
    if "choices" in given:
        return Category
    if given.pop("integer", False):
        return LogInteger if given.get("log") else Integer
    return Quantized if "step" in given else Real


def _problems(name, mapping, fixed):
    """Yield a sentence for each problem of a mapping with the fixed hyperparameters."""
    if not isinstance(mapping, dict):
        parameter(name, mapping)  # raises UserError
    if "value" in mapping:
        yield f"{name}: {mapping} has a value, so it is not searched; leave out everything else"
    when = mapping.get("when", {})
    if isinstance(when, dict) and (idle := [parent for parent in when if parent in fixed]):
        yield f"{name}: {idle[0]} has a value, so nothing can depend on it; give it choices, or leave out when"
