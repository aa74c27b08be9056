"""What a file of scores or of a measure depended on when it was made, as its footer tells."""

import json

KEY = "depends"


def footer(depends):
    """The metadata (dict) of a parquet file that say what it depends on (`fingerprint.depends`)."""
    return {KEY: json.dumps(depends)}


def depends(path):
    """What the parquet file at `path` depended on when it was made; None for a missing, damaged or foreign one."""
    from pyarrow.parquet import read_schema  # loaded only where it is needed

    try:
        found = json.loads(read_schema(path).metadata[KEY.encode()])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, dict) else None
