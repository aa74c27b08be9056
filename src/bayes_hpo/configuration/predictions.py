"""Whether a searcher reads stored predictions, as the parts say that its configuration names."""

from collections.abc import Iterator
from typing import Any

OF_PREDICTIONS = ".ensembles."  # in the dotted name of a part that reads them


def named(node: Any) -> Iterator[str]:
    """Yield every `_target_` of a configuration, at any depth."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list | tuple) else ()
    if isinstance(node, dict) and "_target_" in node:
        yield str(node["_target_"])
    for child in children:
        yield from named(child)


def reads_predictions(searcher: dict) -> bool:
    """Whether a searcher (its configuration) reads predictions of trials, which need fixed splits and a store."""
    return any(OF_PREDICTIONS in name for name in named(searcher))
