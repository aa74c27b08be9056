"""What a file of scores or of a measure is and what it depended on when it was made, as its footer tells."""

import json

DEPENDS, OWNER = "depends", "owner"


def footer(depends, owner):
    """The metadata (dict) of a parquet file that say what it depends on (`fingerprint.depends`) and what it is.

    owner: dict, what the place of the file says too, so that a renamed one is told.
    """
    return {DEPENDS: json.dumps(depends), OWNER: json.dumps(owner)}


def owner(metadata):
    """The owner (dict) of the metadata (dict of bytes, or None) of a parquet file; None of files of before.

    Raises: ValueError when they are damaged.
    """
    return json.loads((metadata or {}).get(OWNER.encode(), "null"))


def depends(path):
    """What the parquet file at `path` depended on when it was made; None for a missing, damaged or foreign one."""
    from pyarrow.parquet import read_schema  # loaded only where it is needed

    try:
        found = json.loads(read_schema(path).metadata[DEPENDS.encode()])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, dict) else None


def is_current(path, expected):
    """Whether the parquet file at `path` depended, when it was made, on what is `expected` (`fingerprint.depends`)."""
    made = depends(path)
    return bool(made and expected) and made.get("fingerprint") == expected["fingerprint"]
