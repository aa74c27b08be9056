"""Sentences for captions on the validations and methods that are left out, and why."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report.caption import counted


def validations(every: Iterable[str], compared: Mapping[str, Any]) -> list[str]:
    """Sentences on the validations in `every` that have no comparison (dict by validation)."""
    return [f"No data set has {VALIDATIONS[name]} scores of all methods." for name in every if name not in compared]


def methods(
    label: Callable[[str], str],
    every: Iterable[str],
    compared: Mapping[str, Any],
    scored: Mapping[str, Collection[str]],
) -> list[str]:
    """Sentences on the methods in `every` that are left out, and why; a single one if all validations agree.

    label: function, method -> printed name.
    compared: dict, validation -> `comparison.Comparison`.
    scored: dict, validation -> methods with scores.
    """
    where: dict[str, list[str]] = {}
    for name, of_one in compared.items():
        where.setdefault(_of_one(label, every, list(of_one.mean), scored[name]), []).append(VALIDATIONS[name])
    places = {text: "" if len(names) == len(compared) else f" ({', '.join(names)})" for text, names in where.items()}
    return [text.replace("Left out", f"Left out{place}") for text, place in places.items() if text]


def _of_one(label, every, methods, scored):
    """The sentence on the methods in `every` that are not among `methods`; empty if there are none."""
    missing = [name for name in every if name not in methods]
    reasons = {
        "no scores": [label(name) for name in missing if name not in scored],
        "too few data sets in common with the others": [label(name) for name in missing if name in scored],
    }
    parts = [f"Left out, {reason}: {', '.join(names)}" for reason, names in reasons.items() if names]
    return f"{'. '.join(parts)}; {counted(len(methods), 'method is', 'methods are')} compared." if parts else ""
