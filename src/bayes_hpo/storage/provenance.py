"""The footer of a file of scores or of a measure: what the file is, and what it depended on when it was written."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DEPENDS, OWNER, POOLS = "depends", "owner", "pools"


def footer(depends: dict, owner: dict, pools: Sequence[str] = ()) -> dict[str, str]:
    """The metadata of a parquet file.

    depends: what it depends on (`fingerprint.depends`).
    owner: what its path says too, so that a renamed file is detected.
    pools: digests of the pool files that it was computed from.
    """
    return {DEPENDS: json.dumps(depends), OWNER: json.dumps(owner), POOLS: json.dumps(pools)}


def owner(metadata: Mapping[bytes, bytes] | None) -> dict | None:
    """The owner (dict) in the metadata of a parquet file; None in files of older code.

    Raises: ValueError when it is damaged.
    """
    return json.loads((metadata or {}).get(OWNER.encode(), "null"))


def depends(path: str | Path) -> dict | None:
    """What the parquet file at `path` depended on when it was written; None for a missing or damaged file."""
    entry = _entry(path, DEPENDS)
    return entry if isinstance(entry, dict) else None


def pools(path: str | Path) -> list[str] | None:
    """Digests of the pools that the parquet file at `path` was computed from; None when it lists none."""
    return _entry(path, POOLS)


def _entry(path, name):
    from pyarrow.parquet import read_schema  # loaded only where it is needed

    try:
        return json.loads(read_schema(path).metadata[name.encode()])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_current(path: str | Path, expected: Any) -> bool:
    """Whether the parquet file at `path` depended on what is `expected` (`fingerprint.depends`) when it was written."""
    recorded = depends(path)
    return recorded is not None and bool(expected) and recorded.get("fingerprint") == expected["fingerprint"]
