"""Parquet files whose damage is detected: pages have checksums, the footer a digest of the columns and their length.

Both are verified at every reading. Released scores lack the digest, older files both: released/SHA256SUMS lists them.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import ArrowException, parquet

KEY = b"form"
DAMAGE = (OSError, ValueError, ArrowException)  # what a damaged file raises when it is read


def write(table: pa.Table, path: str | Path, metadata: dict | None = None, **settings: Any) -> None:
    """Write a pyarrow table to `path`.

    metadata: further entries of the footer. settings: of `pyarrow.parquet.write_table`.
    """
    form = {KEY: _form(table.schema, table.num_rows)}
    parquet.write_table(
        table.replace_schema_metadata({**(metadata or {}), **form}), path, write_page_checksum=True, **settings
    )


def read(path: str | Path) -> pa.Table:
    """The pyarrow table of a file. Raises: FileNotFoundError; DAMAGE when it is damaged or of another kind."""
    table = parquet.read_table(path, page_checksum_verification=True)
    check(table.schema, table.num_rows)
    return table


def check(schema: pa.Schema, rows: int) -> None:
    """Raises: ValueError when the schema or number of rows of a file differ from those that were written."""
    form = (schema.metadata or {}).get(KEY)
    if form is not None and form != _form(schema, rows):
        raise ValueError("its columns differ from those that were written")


def dataset(paths: Iterable[str | Path], schema: pa.Schema | None = None) -> Any:
    """The pyarrow dataset of several files (list of path), to be read like one table, which verifies pages.

    schema: that of all files together, when they differ in their columns. Raises: DAMAGE.
    """
    from pyarrow import dataset  # takes a third of a second, so it is loaded only where it is needed

    verified = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
    of_pages = dataset.ParquetFileFormat(default_fragment_scan_options=verified)
    files = dataset.dataset([str(path) for path in paths], schema=schema, format=of_pages)
    for fragment in files.get_fragments():
        check(fragment.physical_schema, fragment.metadata.num_rows)
    return files


def _form(schema, rows):
    """Digest (16 hex digits) of the names and types of the columns and the number of rows."""
    columns = [(field.name, str(field.type).removeprefix("large_")) for field in schema]
    return hashlib.sha256(repr((columns, rows)).encode()).hexdigest()[:16].encode()
