"""Tells from the components in its configuration whether a searcher reads stored predictions."""

from collections.abc import Iterator
from typing import Any

OF_PREDICTIONS = ".ensembles."  # in the dotted names of components that read predictions


def named(node: Any) -> Iterator[str]:
    """Yield every `_target_` in a configuration, at any depth."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list | tuple) else ()
    if isinstance(node, dict) and "_target_" in node:
        yield str(node["_target_"])
    for child in children:
        yield from named(child)


def reads_predictions(searcher: dict) -> bool:
    """Whether a searcher, given its configuration, reads predictions of trials; these require fixed splits."""
    return any(OF_PREDICTIONS in name for name in named(searcher))
