"""Parquet files with checksums of their pages, and a digest of their columns and length in the footer.

Both are verified on every read. Released scores lack the digest, and older ones both: released/SHA256SUMS covers them.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import ArrowException, parquet

KEY = b"form"
DAMAGE = (OSError, ValueError, ArrowException)  # raised when a damaged file is read


def write(table: pa.Table, path: str | Path, metadata: dict | None = None, **settings: Any) -> None:
    """Write a pyarrow table to `path`.

    metadata: further entries of the footer. settings: arguments of `pyarrow.parquet.write_table`.
    """
    form = {KEY: _form(table.schema, table.num_rows)}
    parquet.write_table(
        table.replace_schema_metadata({**(metadata or {}), **form}), path, write_page_checksum=True, **settings
    )


def read(path: str | Path) -> pa.Table:
    """The pyarrow table in a file. Raises: FileNotFoundError; DAMAGE when it is damaged or of another kind."""
    table = parquet.read_table(path, page_checksum_verification=True)
    check(table.schema, table.num_rows)
    return table


def check(schema: pa.Schema, rows: int) -> None:
    """Compare schema and number of rows of a file with its digest. Raises: ValueError when they differ."""
    form = (schema.metadata or {}).get(KEY)
    if form is not None and form != _form(schema, rows):
        raise ValueError("its columns differ from those that were written")


def dataset(paths: Iterable[str | Path], schema: pa.Schema | None = None) -> Any:
    """A pyarrow dataset of several files, which reads them as one table and verifies their pages.

    schema: common schema, for files that differ in their columns.
    Raises: DAMAGE.
    """
    from pyarrow import dataset  # imported here, because it takes a third of a second

    verified = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
    of_pages = dataset.ParquetFileFormat(default_fragment_scan_options=verified)
    files = dataset.dataset([str(path) for path in paths], schema=schema, format=of_pages)
    for fragment in files.get_fragments():
        check(fragment.physical_schema, fragment.metadata.num_rows)
    return files


def _form(schema, rows):
    """Digest (16 hex digits) of the names and types of the columns, and the number of rows."""
    columns = [(field.name, str(field.type).removeprefix("large_")) for field in schema]
    return hashlib.sha256(repr((columns, rows)).encode()).hexdigest()[:16].encode()
