"""The footer of score and measure files: what the file is, and what it depended on when it was written."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DEPENDS, OWNER, POOLS = "depends", "owner", "pools"


def footer(depends: dict, owner: dict, pools: Sequence[str] = ()) -> dict[str, str]:
    """The metadata of a parquet file.

    depends: what the file depends on (`fingerprint.depends`).
    owner: the facts in its path, so that a renamed file is detected.
    pools: digests of the pool files that it was computed from.
    """
    return {DEPENDS: json.dumps(depends), OWNER: json.dumps(owner), POOLS: json.dumps(pools)}


def owner(metadata: Mapping[bytes, bytes] | None) -> dict | None:
    """The owner (dict) in the metadata of a parquet file; None in files of older versions.

    Raises: ValueError when the entry is damaged.
    """
    return json.loads((metadata or {}).get(OWNER.encode(), "null"))


def depends(path: str | Path) -> dict | None:
    """What the parquet file at `path` depended on when it was written; None if it is missing or damaged."""
    entry = _entry(path, DEPENDS)
    return entry if isinstance(entry, dict) else None


def pools(path: str | Path) -> list[str] | None:
    """Digests of the pools that the parquet file at `path` was computed from; None if it lists none."""
    return _entry(path, POOLS)


def _entry(path, name):
    from pyarrow.parquet import read_schema  # imported here, because it is slow

    try:
        return json.loads(read_schema(path).metadata[name.encode()])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_current(path: str | Path, expected: Any) -> bool:
    """Whether the parquet file at `path` was written with the `expected` fingerprint (`fingerprint.depends`)."""
    recorded = depends(path)
    return recorded is not None and bool(expected) and recorded.get("fingerprint") == expected["fingerprint"]
