"""Builds objects from configuration nodes with a `_target_`, and checks their values against annotations."""

import importlib
import inspect
import types
from functools import partial
from typing import Annotated, Any, Union, get_args, get_origin

from bayes_hpo.configuration.limits import check_ranges
from bayes_hpo.errors import UserError

INSTALL = "pip install -c constraints.txt -e '.[boosting]'"  # packages that some learners need


def build(node: dict, path: str, **given: Any) -> Any:
    """The object named by `node["_target_"]`: an instance of a class, or a function bound to the node's arguments.

    node: plain dict with `_target_` and keyword arguments. Nested nodes, also in dicts and lists, are built first; an
        argument annotated as type is given by the dotted name of a class.
    path: location of the node in the configuration, for error messages.
    given: objects passed to every target that has a parameter of their name.
    Raises: UserError for an unknown target, an unknown or missing argument, or a value of the wrong type or range.
    """
    target = _named(node.get("_target_"), f"{path}._target_")
    parameters = inspect.signature(target).parameters
    values = {key: _value(value, f"{path}.{key}", given) for key, value in node.items() if key != "_target_"}
    classes = [key for key in values if key in parameters and parameters[key].annotation is type]
    values |= {key: _named(values[key], f"{path}.{key}") for key in classes}
    values |= {key: value for key, value in given.items() if key in parameters}
    is_function = inspect.isfunction(target)
    signature = inspect.signature(target)
    try:
        (signature.bind_partial if is_function else signature.bind)(**values)
    except TypeError as problem:
        raise UserError(f"{path}: {problem}; {node['_target_']} takes {', '.join(parameters)}") from problem
    required = [key for key, one in parameters.items() if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    if missing := [key for key in required if key not in values]:
        raise UserError(
            f"{path}: missing a required argument: {missing[0]!r}; {node['_target_']} takes {', '.join(parameters)}"
        )
    for key in set(node) & set(parameters):
        if values[key] is None and parameters[key].default is not None:
            raise UserError(f"{path}.{key} is null; give it a value")
        _check_type(values[key], parameters[key].annotation, f"{path}.{key}")
        check_ranges(values[key], parameters[key].annotation, f"{path}.{key}")
    return partial(target, **values) if is_function else target(**values)


def _named(name, path):
    """The object with a dotted name. Raises: UserError when it does not exist."""
    module, _, attribute = str(name).rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as problem:
        absent = isinstance(problem, ModuleNotFoundError) and problem.name == module.partition(".")[0]
        hint = f"; install it with: {INSTALL}" if absent else ""
        raise UserError(f"{path}: there is no {name} ({problem}{hint})") from problem


def _value(value, path, given):
    if isinstance(value, dict) and "_target_" in value:
        return build(value, path, **given)
    if isinstance(value, dict):
        return {key: _value(nested, f"{path}.{key}", given) for key, nested in value.items()}
    return [_value(nested, path, given) for nested in value] if isinstance(value, list) else value


def _check_type(value, annotation, path):
    """Check a value against an annotated type or Protocol. Raises: UserError when it does not match."""
    if get_origin(annotation) is list and isinstance(value, list):
        for element in value:
            _check_type(element, get_args(annotation)[0], path)
    elif not _is_of_type(value, annotation):
        raise UserError(f"{path}: {value!r} is not of type {_type_name(annotation)}")


def _is_of_type(value, annotation):
    """Whether a value has an annotated type; ints are accepted as floats and lists as tuples, bools only as bools."""
    kinds, kind = get_args(annotation), get_origin(annotation) or annotation
    if kind is Annotated:
        return _is_of_type(value, kinds[0])
    if kind in (types.UnionType, Union):
        return any(_is_of_type(value, member) for member in kinds)
    if kind in (Any, inspect.Parameter.empty) or not isinstance(kind, type):
        return True
    if getattr(kind, "_is_protocol", False) and not getattr(kind, "_is_runtime_protocol", False):
        return True  # a Protocol that isinstance cannot check
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, {float: (int, float), tuple: (list, tuple)}.get(kind, kind))


def _type_name(annotation):
    if get_origin(annotation) is Annotated:
        return _type_name(get_args(annotation)[0])
    if get_origin(annotation) in (types.UnionType, Union):
        return " | ".join(map(_type_name, get_args(annotation)))
    name = (get_origin(annotation) or annotation).__name__
    return "None" if name == "NoneType" else name
