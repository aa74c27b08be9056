"""CIFAR-10 from files in its own binary layout, small ones; one sentence for each thing that can be wrong with them."""

import numpy as np
import pytest

from bayes_hpo.data.registry import find
from bayes_hpo.data.sources import cifar, openml_source
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import availability, prepare
from bayes_hpo.errors import RunError, UserError

ROW = find("cifar-10")
NAMES = [*(f"data_batch_{k}.bin" for k in range(1, 6)), "test_batch.bin"]
RECORDS = 3  # of a file here; the originals have 10,000


def written(folder, records=RECORDS, seed=0):
    """Write the six files; return labels (6, records) and pixels (6, records, 3072)."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 10, (6, records), dtype=np.uint8)
    pixels = rng.integers(0, 256, (6, records, 3072), dtype=np.uint8)
    for name, *batch in zip(NAMES, labels, pixels, strict=True):
        content = b"".join(bytes([label]) + image.tobytes() for label, image in zip(*batch, strict=True))
        (folder / name).write_bytes(content)
    return labels, pixels


def settings(folder, **others):
    return Settings(cifar_dir=str(folder), **others)


def test_the_batches_are_read_in_their_order_and_the_last_file_is_the_test_part(tmp_path):
    labels, pixels = written(tmp_path)
    data = cifar.read(ROW, settings(tmp_path))
    np.testing.assert_array_equal(data.X, pixels.reshape(-1, 3072))
    np.testing.assert_array_equal(data.y, labels.ravel())
    np.testing.assert_array_equal(data.given_test, np.arange(5 * RECORDS, 6 * RECORDS))
    assert (data.X.dtype, data.y.dtype, data.fitted) == (np.uint8, np.int64, False)
    assert [*data.header["files"]] == NAMES
    assert data.header["labels"][6] == "frog"
    assert not data.header["verified"]


def test_the_red_pixels_of_an_image_come_first(tmp_path):
    written(tmp_path, records=1)
    image = np.repeat(np.array([10, 20, 30], np.uint8), 1024)
    (tmp_path / NAMES[0]).write_bytes(b"\x07" + image.tobytes())
    data = cifar.read(ROW, settings(tmp_path))
    np.testing.assert_array_equal(data.X[0].reshape(3, 32, 32)[:, 5, 5], [10, 20, 30])
    assert data.y[0] == 7


def test_what_the_registry_states_is_what_the_original_files_hold():
    assert [part.name for part in ROW.layouts[0]] == NAMES
    assert (ROW.n, ROW.p, ROW.classes, ROW.n_test, ROW.rest) == (60_000, 3072, 10, 10_000, 50_000)
    assert ROW.n == 6 * cifar.RECORDS


def test_small_files_are_not_the_registered_data_set(tmp_path):
    written(tmp_path, records=30)
    with pytest.raises(RunError, match=r"cifar-10 is not the registered data set \(n=180 instead of 60000"):
        prepare("cifar-10", settings(tmp_path, results_dir=str(tmp_path)))


@pytest.mark.parametrize("change", [lambda content: content[:-1], lambda content: content + b"\0", lambda content: b""])
def test_a_file_of_another_size_is_named(tmp_path, change):
    written(tmp_path)
    path = tmp_path / "data_batch_3.bin"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(RunError, match=r"data_batch_3\.bin has \d+ bytes, not 10000 records of 3073"):
        cifar.read(ROW, settings(tmp_path))


def test_more_records_than_a_batch_has_are_refused(tmp_path, monkeypatch):
    written(tmp_path)
    monkeypatch.setattr(cifar, "RECORDS", RECORDS - 1)
    with pytest.raises(RunError, match="nor fewer whole ones"):
        cifar.read(ROW, settings(tmp_path))


def test_a_label_above_nine_is_named(tmp_path):
    written(tmp_path)
    path = tmp_path / "test_batch.bin"
    path.write_bytes(b"\x0a" + path.read_bytes()[1:])
    with pytest.raises(RunError, match=r"test_batch\.bin has the label 10, not one of 0 to 9"):
        cifar.read(ROW, settings(tmp_path))


def test_absent_files_and_folders_are_named(tmp_path):
    written(tmp_path)
    (tmp_path / "data_batch_2.bin").unlink()
    with pytest.raises(RunError, match=r"^cifar-10 is unavailable: .* has no data_batch_2\.bin$"):
        cifar.read(ROW, settings(tmp_path))
    with pytest.raises(UserError, match=r"is not a folder; give the one that holds data_batch_1\.bin$"):
        cifar.read(ROW, settings(tmp_path / "none"))


def test_without_a_folder_the_copy_of_openml_is_wanted(tmp_path, monkeypatch):
    (state,) = availability(["cifar-10"], Settings(results_dir=str(tmp_path)))
    assert state.state == "obtainable"
    (state,) = availability(["cifar-10"], settings(tmp_path, results_dir=str(tmp_path)))
    assert "data.cifar_dir=FOLDER" in state.command
    written(tmp_path)
    copy = cifar.read(ROW, settings(tmp_path))
    monkeypatch.setattr(openml_source, "read", lambda row, settings: copy)
    data = cifar.read(ROW, Settings())
    np.testing.assert_array_equal(data.given_test, copy.given_test)
    np.testing.assert_array_equal(data.X, copy.X)
