"""The limits of a scale that are stricter than those of the documents, as text for captions and claims."""

from collections.abc import Mapping
from typing import Any

FULL = "paper"
LIMITS = {  # key of a study that maps scales to limits -> text
    "training_caps": "training parts of at most {:,} rows, so errors on larger sets compare methods only",
    "cpu_limits": "{:g} CPU seconds a trial",
}


def scale_limits(study: Mapping[str, Any], scale: str) -> str:
    """The limits of a study (its configuration) at a scale that are below those at scale paper; empty if none are."""
    given = {key: study.get(key) or {} for key in LIMITS}
    lower = {key: of[scale] for key, of in given.items() if of and of[scale] < of[FULL]}
    return "; ".join(LIMITS[key].format(limit) for key, limit in lower.items())
