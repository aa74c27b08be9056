"""Building objects from nodes of the configuration with a `_target_`, values checked against annotations."""

import importlib
import inspect
import types
from functools import partial
from typing import Annotated, Any, get_args, get_origin

from bayes_hpo.configuration.limits import check_ranges
from bayes_hpo.errors import UserError


def build(node: dict, path: str, **given: Any) -> Any:
    """The object that `node["_target_"]` names: an instance of a class, or a function bound to the node's arguments.

    node: plain dict with `_target_` and keyword arguments; nested nodes, also in dicts and lists, are built first, and
        the dotted name of a class stands for the class.
    path: place of the node in the configuration, for messages.
    given: objects of the program, passed to every target that takes them.
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
    for key in set(node) & set(parameters):
        if values[key] is None and parameters[key].default is not None:
            raise UserError(f"{path}.{key} is null; give it a value")
        _check_type(values[key], parameters[key].annotation, f"{path}.{key}")
        check_ranges(values[key], parameters[key].annotation, f"{path}.{key}")
    return partial(target, **values) if is_function else target(**values)


def _named(name, path):
    """The object of a dotted name. Raises: UserError when it does not exist."""
    module, _, attribute = str(name).rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as problem:
        raise UserError(f"{path}: there is no {name} ({problem})") from problem


def _value(value, path, given):
    if isinstance(value, dict) and "_target_" in value:
        return build(value, path, **given)
    if isinstance(value, dict):
        return {key: _value(nested, f"{path}.{key}", given) for key, nested in value.items()}
    return [_value(nested, path, given) for nested in value] if isinstance(value, list) else value


def _check_type(value, annotation, path):
    """Raises: UserError for a value that is not of the annotated type, or does not keep the annotated Protocol."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is list and isinstance(value, list):
        for nested in value:
            _check_type(nested, get_args(annotation)[0], path)
        return
    if not isinstance(annotation, (type, types.UnionType)) or annotation is inspect.Parameter.empty:
        return
    if getattr(annotation, "_is_protocol", False) and not getattr(annotation, "_is_runtime_protocol", False):
        return  # a Protocol that isinstance cannot check
    accepted = int | float if annotation is float else annotation
    names_bool = bool in getattr(annotation, "__args__", (annotation,))
    if not isinstance(value, accepted) or (isinstance(value, bool) and not names_bool):
        raise UserError(f"{path}: {value!r} is not of type {getattr(annotation, '__name__', annotation)}")
