"""Laws of files of arrays: what was written is read, and whatever else stands there is told."""

import resource
from pathlib import Path

import numpy as np
import pytest

from bayes_hpo.storage import npz

ARRAYS = {"numbers": np.arange(6.0).reshape(2, 3), "words": np.array(["a", "bc"]), "flag": np.array(True)}


@pytest.fixture
def path(tmp_path):
    npz.write(tmp_path / "some.npz", "some 1", ARRAYS)
    return tmp_path / "some.npz"


def _zipped_again(path, **changed):
    """The file written anew, its zip's checksums right, with other arrays (None: without it)."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files} | changed
    np.savez_compressed(path, **{name: array for name, array in arrays.items() if array is not None})


def test_what_was_written_is_read(path):
    found = npz.read(path, "some 1")
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_json_comes_back_with_its_order():
    value = [{"b": 1, "a": [0.1, None, "ä"]}]
    found = npz.to_json(npz.from_json(value))
    assert found == value
    assert list(found[0]) == ["b", "a"]


@pytest.mark.parametrize(
    "changed",
    [
        {"numbers": ARRAYS["numbers"] + 1e-9},
        {"numbers": ARRAYS["numbers"].reshape(3, 2)},
        {"numbers": ARRAYS["numbers"].astype("float32")},
        {"words": None},
        {"more": np.zeros(1)},
        {"words": None, "terms": ARRAYS["words"]},
        {"digest": None},
    ],
    ids=["value", "shape", "type", "lost", "added", "renamed", "digest"],
)
def test_whatever_is_changed_is_told(path, changed):
    _zipped_again(path, **changed)
    with pytest.raises(ValueError, match="was altered"):
        npz.read(path, "some 1")


def test_arrays_zipped_again_unchanged_are_whole(path):
    _zipped_again(path)
    assert npz.read(path, "some 1").keys() == ARRAYS.keys()


def test_another_form_is_told(path):
    with pytest.raises(ValueError, match="is of the form some 1, not some 2"):
        npz.read(path, "some 2")


def test_a_foreign_file_of_arrays_has_no_form(tmp_path):
    np.savez(tmp_path / "foreign.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match="is of the form unknown, not some 1"):
        npz.read(tmp_path / "foreign.npz", "some 1")


def test_every_flipped_bit_is_told_or_changes_nothing(path):
    content = path.read_bytes()
    for bit in range(0, 8 * len(content), 5):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        try:
            found = npz.read(path, "some 1")
        except (ValueError, OSError):
            continue
        assert npz.digest(found) == npz.digest(ARRAYS)


@pytest.mark.parametrize("content", [b"", b"some text", b"\x93NUMPY", bytes(300)])
def test_what_is_no_zip_is_damaged(path, content):
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is damaged"):
        npz.read(path, "some 1")


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        npz.read(tmp_path / "none.npz", "some 1")


def test_a_lack_of_memory_is_no_damage(path):
    npz.write(path, "some 1", {"zeros": np.zeros(50_000_000)})
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 200_000_000, before[1]))
    try:
        with pytest.raises(MemoryError):
            npz.read(path, "some 1")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
