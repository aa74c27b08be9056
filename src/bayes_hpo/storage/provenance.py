"""What a file of scores or of a measure is and what it depended on when it was made, as its footer tells."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DEPENDS, OWNER, POOLS = "depends", "owner", "pools"


def footer(depends: dict, owner: dict, pools: Sequence[str] = ()) -> dict[str, str]:
    """The metadata (dict) of a parquet file that say what it depends on (`fingerprint.depends`) and what it is.

    owner: dict, what the place of the file says too, so that a renamed one is told. pools: digests (list) of the files
    of the pools that it was made from.
    """
    return {DEPENDS: json.dumps(depends), OWNER: json.dumps(owner), POOLS: json.dumps(pools)}


def owner(metadata: Mapping[bytes, bytes] | None) -> dict | None:
    """The owner (dict) of the metadata (dict of bytes, or None) of a parquet file; None of files of before.

    Raises: ValueError when they are damaged.
    """
    return json.loads((metadata or {}).get(OWNER.encode(), "null"))


def depends(path: str | Path) -> dict | None:
    """What the parquet file at `path` depended on when it was made; None for a missing, damaged or foreign one."""
    found = _said(path, DEPENDS)
    return found if isinstance(found, dict) else None


def pools(path: str | Path) -> list[str] | None:
    """Digests (list) of the pools that the parquet file at `path` was made from; None where it says none."""
    return _said(path, POOLS)


def _said(path, name):
    from pyarrow.parquet import read_schema  # loaded only where it is needed

    try:
        return json.loads(read_schema(path).metadata[name.encode()])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_current(path: str | Path, expected: Any) -> bool:
    """Whether the parquet file at `path` depended, when it was made, on what is `expected` (`fingerprint.depends`)."""
    made = depends(path)
    return made is not None and bool(expected) and made.get("fingerprint") == expected["fingerprint"]
