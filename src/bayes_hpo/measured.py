"""The file of a measure: a tidy frame, with the number of its form."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from bayes_hpo.errors import Fault
from bayes_hpo.files import atomic
from bayes_hpo.provenance import footer

SCHEMA = "2"  # to be raised when a measure's columns, kinds or quantities change: released files outlive the code
KEY = b"schema"


def read(path, remake):
    """The frame of a measure's file. remake: what to do for a new one, for the message.

    Raises: Fault when the file is missing, damaged or of another form.
    """
    try:
        table = pq.read_table(Path(path))
    except FileNotFoundError as problem:
        raise Fault(f"there is no measure {path}; {remake}") from problem
    except (OSError, ValueError) as problem:  # pyarrow's errors of damage are ValueErrors
        reason = str(problem).splitlines()[0]
        raise Fault(f"the measure {path} cannot be read ({reason}); delete it and {remake}") from problem
    if (table.schema.metadata or {}).get(KEY) != SCHEMA.encode():
        raise Fault(f"the measure {path} was made by other code, whose form has changed; {remake}")
    return table.to_pandas()


def write(frame, path, depends):
    """Write a frame as the file of a measure. depends: what it depends on, which its footer tells."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    with atomic(path) as part:
        pq.write_table(table.replace_schema_metadata(footer(depends) | {KEY: SCHEMA}), part)
