"""The file of a measure: a tidy frame, with its name, its study and scale, and the number of its form."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from bayes_hpo.errors import Fault
from bayes_hpo.storage import parquet, provenance
from bayes_hpo.storage.files import atomic

SCHEMA = "2"  # to be raised when a measure's columns, kinds or quantities change: released files outlive the code
KEY = b"schema"


def read(path: str | Path, remake: str, *, study: str, scale: str) -> Any:
    """The frame (pandas) of a measure's file. remake: what to do for a new one, for the message.

    Raises: Fault when the file is missing, damaged, of another form, or not this measure of this study at this scale.
    """
    try:
        table = parquet.read(path)
        metadata = table.schema.metadata or {}
        owner = provenance.owner(metadata)
        frame = table.to_pandas()
    except FileNotFoundError as problem:
        raise Fault(f"there is no measure {path}; {remake}") from problem
    except parquet.DAMAGE as problem:
        reason = str(problem).splitlines()[0]
        raise Fault(f"the measure {path} cannot be read ({reason}); delete it and {remake}") from problem
    if metadata.get(KEY) != SCHEMA.encode():
        raise Fault(f"the measure {path} was made by other code, whose form has changed; {remake}")
    if owner not in (None, _owner(path, study, scale)):
        raise Fault(f"the measure {path} is {' '.join(map(str, owner.values()))}; delete it and {remake}")
    return frame


def write(frame: Any, path: str | Path, depends: dict, *, study: str, scale: str) -> None:
    """Write a frame as the file of a measure. depends: what it depends on, which its footer tells."""
    told = provenance.footer(depends, _owner(path, study, scale)) | {KEY: SCHEMA}
    with atomic(path) as part:
        parquet.write(pa.Table.from_pandas(frame, preserve_index=False), part, told)


def _owner(path, study, scale):
    """Which measure a file is, that stands at `path`."""
    return {"name": Path(path).stem, "study": study, "scale": scale}
