"""Laws and faults of the manifest of a block."""

import json

import pytest
from bits import flipped

from bayes_hpo.errors import RunError
from bayes_hpo.storage.manifest import pool_path, read_manifest, verified, write_manifest


@pytest.fixture
def block(tmp_path):
    """A manifest of two pool files."""
    pools = [pool_path(tmp_path, number) for number in (0, 12)]
    for pool in pools:
        pool.write_bytes(pool.name.encode())
    write_manifest(tmp_path / "block.json", {"modules": {}, "config": {"budget": 9}}, pools)
    return tmp_path / "block.json"


def test_it_lists_its_pools_and_what_they_depend_on(block):
    assert [path.name for path in verified(block)] == ["rep_000.npz", "rep_012.npz"]
    assert read_manifest(block)["depends"]["config"] == {"budget": 9}


def test_the_same_pools_give_the_same_bytes_wherever_they_stand(block, tmp_path):
    other = tmp_path / "elsewhere"
    other.mkdir()
    for pool in verified(block):
        (other / pool.name).write_bytes(pool.read_bytes())
    pools = [other / pool.name for pool in verified(block)]
    write_manifest(other / "block.json", read_manifest(block)["depends"], pools)
    assert (other / "block.json").read_bytes() == block.read_bytes()


def test_an_altered_pool_is_refused(block):
    pool_path(block.parent, 12).write_bytes(b"another")
    with pytest.raises(RunError, match=r"rep_012.npz differs from block.json; run its search again"):
        verified(block)


def test_a_lost_pool_is_named(block):
    pool_path(block.parent, 0).unlink()
    with pytest.raises(RunError, match=r"rep_000.npz does not exist; delete .*block.json and run its search"):
        verified(block)


def test_a_flipped_bit_of_a_manifest_is_told(block):
    manifest, told = read_manifest(block), 0
    for _ in flipped(block, every=1):
        try:
            assert read_manifest(block) == manifest  # a space between two fields
        except RunError:
            told += 1
    assert told > 1000


def test_the_manifest_of_another_block_is_refused(block):
    other = block.rename(block.with_name("block_010-019.json"))
    with pytest.raises(RunError, match=r"block_010-019.json is the manifest block.json; delete it and run its search"):
        verified(other)


def test_a_missing_manifest_is_named(tmp_path):
    with pytest.raises(RunError, match=r"there is no manifest .*block.json; run its search first"):
        read_manifest(tmp_path / "block.json")


def test_a_truncated_manifest_is_a_fault_wherever_it_ends(block):
    whole = block.read_bytes()
    for end in range(len(whole) - 2):  # the last newline may be missing
        block.write_bytes(whole[:end])
        with pytest.raises(RunError, match="is not a complete manifest"):
            verified(block)


@pytest.mark.parametrize(
    "foreign",
    [
        "[]",
        "{}",
        '"text"',
        json.dumps({"schema": 1, "depends": {}, "pools": {}}),
        json.dumps({"schema": 3, "name": "block.json", "depends": {}, "pools": {}}),
        json.dumps({"schema": 2, "name": "block.json", "depends": {}, "pools": {}, "more": 1}),
    ],
)
def test_a_foreign_manifest_is_refused(block, foreign):
    block.write_text(foreign)
    with pytest.raises(RunError, match="is not a manifest of this schema"):
        verified(block)


def test_bytes_that_are_no_text_are_refused(block):
    block.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunError, match="is not a complete manifest"):
        verified(block)
