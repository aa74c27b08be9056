"""Components as the configuration makes them, their settings checked."""

from functools import cache

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import options, written


def configured(target, path, given=None, **settings):
    """What `target` (a class) is built to from a node with `settings` at `path`; given: objects of the program."""
    return build({"_target_": f"{target.__module__}.{target.__name__}", **settings}, path, **(given or {}))


@cache
def searchers():
    """A searcher for each set of classes that the options of the group are made of."""
    every = {name: written("searcher", name) for name in options("searcher")}
    return sorted({kind(every[name]): name for name in sorted(every, reverse=True)}.values())


def kind(node):
    """The classes (set of names) that a node is made of; nodes of one kind differ in numbers and functions."""
    return frozenset(_classes(node))


def _classes(node):
    """Yield the names of the classes in a node; functions begin with a small letter."""
    if isinstance(node, dict):
        if node.get("_target_", "a").rpartition(".")[2][0].isupper():
            yield node["_target_"]
        for part in node.values():
            yield from _classes(part)
