"""The reader of MNIST's files: IDX arrays of bytes, packed; what is wrong with one is told in a sentence."""

import gzip
import hashlib

import numpy as np
import pytest

from bayes_hpo.data.registry import Part, Row
from bayes_hpo.data.sources.mnist import idx, lacking, read
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError

PART = Part("images.gz")


def packed(array, shape=None):
    array = np.asarray(array, np.uint8)
    shape = array.shape if shape is None else shape
    return gzip.compress(bytes([0, 0, 8, len(shape)]) + np.array(shape, ">u4").tobytes() + array.tobytes())


@pytest.fixture
def row(tmp_path):
    rng, parts = np.random.default_rng(0), []
    for name, array in {
        "a-images.gz": rng.integers(256, size=(6, 2, 2)),
        "a-labels.gz": [0, 1, 2, 0, 1, 2],
        "b-images.gz": rng.integers(256, size=(3, 2, 2)),
        "b-labels.gz": [2, 1, 0],
    }.items():
        content = packed(array)
        (tmp_path / name).write_bytes(content)
        parts.append(Part(name, (hashlib.sha256(content).hexdigest(),)))
    return Row("tiny-mnist", source="mnist", layouts=(tuple(parts),))


def test_an_array_is_read_as_it_was_written():
    array = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(idx(PART, packed(array)), array)


def test_images_become_rows_and_the_last_pair_the_test_part(row, tmp_path):
    data = read(row, Settings(openml_dir=str(tmp_path)))
    assert data.X.shape == (9, 4)
    assert data.X.dtype == np.uint8
    np.testing.assert_array_equal(data.y, [0, 1, 2, 0, 1, 2, 2, 1, 0])
    np.testing.assert_array_equal(data.given_test, [6, 7, 8])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (packed([1, 2, 3])[:-9], "not a complete gzip file"),
        (gzip.compress(b"\x00\x00\x0d\x01\x00\x00\x00\x01\x07"), "not an IDX file of bytes"),
        (packed([1, 2, 3], shape=(4,)), "has 3 numbers, its header says 4"),
    ],
    ids=["cut", "of another type", "shorter than its header says"],
)
def test_a_wrong_file_is_one_sentence(content, said):
    with pytest.raises(RunError, match=said):
        idx(PART, content)


def test_an_altered_and_a_missing_file_are_told(row, tmp_path):
    (tmp_path / "b-labels.gz").write_bytes(packed([2, 1, 1]))
    with pytest.raises(RunError, match=r"b-labels\.gz is cut or altered"):
        read(row, Settings(openml_dir=str(tmp_path)))
    (tmp_path / "b-labels.gz").unlink()
    assert lacking(row, Settings(openml_dir=str(tmp_path))).endswith("has no b-labels.gz")
