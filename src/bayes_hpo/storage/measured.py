"""The file of a measure: a tidy frame, with its name, study, scale and schema in the footer."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from bayes_hpo.errors import RunError
from bayes_hpo.storage import parquet, provenance
from bayes_hpo.storage.files import atomic

SCHEMA = "2"  # increment when the columns, kinds or quantities of a measure change, so that older files are refused
KEY = b"schema"


def read(path: str | Path, remake: str, *, study: str, scale: str) -> Any:
    """The frame (pandas) in the file of a measure.

    remake: hint in error messages on how to compute it again.
    Raises: RunError when the file is missing, damaged, of another schema, or of another measure, study or scale.
    """
    try:
        table = parquet.read(path)
        metadata = table.schema.metadata or {}
        owner = provenance.owner(metadata)
        frame = table.to_pandas()
    except FileNotFoundError as problem:
        raise RunError(f"there is no measure {path}; {remake}") from problem
    except parquet.DAMAGE as problem:
        reason = str(problem).splitlines()[0]
        raise RunError(f"the measure {path} cannot be read ({reason}); delete it and {remake}") from problem
    if metadata.get(KEY) != SCHEMA.encode():
        raise RunError(f"the measure {path} has another schema than this code's; {remake}")
    if owner not in (None, _owner(path, study, scale)):
        raise RunError(f"the measure {path} is that of {' '.join(map(str, owner.values()))}; delete it and {remake}")
    return frame


def write(frame: Any, path: str | Path, depends: dict, *, study: str, scale: str) -> None:
    """Write a frame to the file of a measure. depends: what it depends on, stored in the footer."""
    footer = provenance.footer(depends, _owner(path, study, scale)) | {KEY: SCHEMA}
    with atomic(path) as temporary:
        parquet.write(pa.Table.from_pandas(frame, preserve_index=False), temporary, footer)


def _owner(path, study, scale):
    """The measure, study and scale that the file at `path` belongs to."""
    return {"name": Path(path).stem, "study": study, "scale": scale}
