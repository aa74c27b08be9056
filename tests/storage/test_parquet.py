"""A Parquet file tells of any flipped bit that could change what is read, wherever it lies."""

import pyarrow as pa
import pytest
from bits import flipped
from pyarrow import parquet as plain

from bayes_hpo.storage import parquet

TABLE = pa.table({"dataset": ["iris"] * 40, "repetition": list(range(40)), "test_error": [k / 7 for k in range(40)]})


def _as_part(path):
    """The file as one of several."""
    return parquet.dataset([path]).to_table()


each_way = pytest.mark.parametrize("read", [parquet.read, _as_part])


@each_way
def test_no_flipped_bit_changes_what_is_read(tmp_path, read):
    path = tmp_path / "file.parquet"
    parquet.write(TABLE, path, {"name": "x"})
    refused = 0
    for _ in flipped(path, every=29):
        try:
            assert read(path).equals(TABLE)
        except parquet.DAMAGE:
            refused += 1
    assert refused > 100
    assert read(path).equals(TABLE)


@each_way
def test_a_file_of_before_is_read(tmp_path, read):
    plain.write_table(TABLE, tmp_path / "file.parquet")
    assert read(tmp_path / "file.parquet").equals(TABLE)


def test_what_the_footer_says_comes_back(tmp_path):
    parquet.write(TABLE, tmp_path / "file.parquet", {"name": "x"})
    assert parquet.read(tmp_path / "file.parquet").schema.metadata[b"name"] == b"x"
