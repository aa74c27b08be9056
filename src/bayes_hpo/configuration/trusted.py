"""The code that a configuration may refer to: this package, and classes of the learners' libraries."""

from collections.abc import Iterable
from typing import Any

from bayes_hpo.errors import UserError

PACKAGE = "bayes_hpo"
LIBRARIES = (PACKAGE, "sklearn", "lightgbm", "xgboost", "catboost")
PLACE = "configuration/trusted.py"
ALLOWED = {"_target_": (PACKAGE,), "kind": LIBRARIES}  # key -> packages; `kind` is the class of an estimator


def check_trusted(node: Any, path: str = "") -> None:
    """Check the names of code in a configuration, at any depth, before any of it is imported.

    Raises: UserError for the first name from another package.
    """
    for key, value in _items(node):
        place = f"{path}.{key}".lstrip(".")
        if key in ALLOWED and isinstance(value, str) and "." in value and value.split(".")[0] not in ALLOWED[key]:
            allowed = ", ".join(ALLOWED[key])
            raise UserError(f"{place}={value} is not code of {allowed}; write a module, or add the library to {PLACE}")
        check_trusted(value, place)


def _items(node: Any) -> Iterable[tuple]:
    return node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
