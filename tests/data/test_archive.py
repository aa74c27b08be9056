"""The archive's layout, from a folder and from a tar.gz: numbers untouched, test parts kept, damage found."""

import gzip
import tarfile

import numpy as np
import pytest
import tiny
from file_server import FileServer

from bayes_hpo.data.registry import registry
from bayes_hpo.data.sources import archive
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError, UserError


@pytest.fixture
def folder(tmp_path):
    return tiny.write_archive(tmp_path / "archive")


@pytest.fixture
def rows(tmp_path, folder):
    return registry(tiny.write_registry(tmp_path / "conf", folder))


@pytest.fixture
def settings(tmp_path, folder):
    return Settings(results_dir=str(tmp_path / "results"), archive_dir=str(folder))


def from_tar(tmp_path, tar, **more):
    return Settings(results_dir=str(tmp_path / "results"), archive_dir=str(tar), **more)


def same(one, other):
    return one.digest == other.digest and one.header == other.header


def test_the_numbers_of_a_set_are_untouched(rows, settings):
    data = archive.read(rows["parted"], settings)
    np.testing.assert_array_equal(data.X[data.given_test], tiny.X[1::2])  # raw, as the file has it
    np.testing.assert_array_equal(data.y, [*tiny.Y[::2], *tiny.Y[1::2]])
    np.testing.assert_array_equal(data.given_test, np.arange(89, 178))
    assert not data.fitted
    assert data.header["verified"]


def test_a_set_without_a_test_part_has_none_given(rows, settings):
    data = archive.read(rows["whole"], settings)
    assert data.X.shape == (178, 4)
    assert len(data.given_test) == 0


def test_repaired_standardises_the_named_part_and_nothing_else(rows, settings):
    plain, repaired = archive.read(rows["parted"], settings), archive.read(rows["parted-repaired"], settings)
    train, test = slice(0, 89), plain.given_test
    np.testing.assert_array_equal(repaired.X[train], plain.X[train])
    assert not tiny.columns_are_standard(plain.X[test])
    assert tiny.columns_are_standard(repaired.X[test])
    np.testing.assert_array_equal(repaired.y, plain.y)


def test_one_class_is_set_against_the_rest(rows, settings):
    assert archive.read(rows["board"], settings).y.tolist() == [int(label == 1) for label in tiny.Y]


def test_a_file_of_unknown_sum_is_read_and_marked(rows, settings):
    data = archive.read(rows["unknown"], settings)
    assert data.X.shape == (60, 4)
    assert not data.header["verified"]


def test_an_altered_file_is_refused(rows, settings, folder):
    path = folder / "whole" / "whole_R.dat"
    path.write_text(path.read_text().replace("\t0\n", "\t1\n", 1))
    with pytest.raises(RunError, match=r"whole/whole_R.dat is cut or altered .* conf/datasets.csv"):
        archive.read(rows["whole"], settings)


def test_a_cut_file_is_refused(rows, settings, folder):
    path = folder / "parted" / "parted_test_R.dat"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(RunError, match=r"parted_test_R.dat is cut or altered"):
        archive.read(rows["parted"], settings)


def test_a_file_of_unknown_sum_that_is_no_table_is_refused(rows, settings, folder):
    (folder / "unknown" / "unknown_R.dat").write_text("\tf1\tclase\n1\tabc\t0\n")
    with pytest.raises(RunError, match=r"unknown: unknown_R.dat cannot be read"):
        archive.read(rows["unknown"], settings)


def test_an_absent_set_is_named_with_what_to_do(rows, settings):
    with pytest.raises(RunError, match=r"absent is unavailable: .*absent_R.dat; .*data.archive_dir=FOLDER"):
        archive.read(rows["absent"], settings)


def test_no_archive_at_all_is_said(rows, tmp_path):
    with pytest.raises(RunError, match="whose folder is not given"):
        archive.read(rows["whole"], Settings(results_dir=str(tmp_path)))


def test_a_missing_archive_folder_is_a_wrong_command(rows, tmp_path):
    with pytest.raises(UserError, match="nowhere does not exist"):
        archive.read(rows["whole"], Settings(results_dir=str(tmp_path), archive_dir="nowhere"))


def test_files_that_stand_in_lie_beside_the_archive_too(rows, settings, folder):
    (folder / "whole").rename(folder.parent / "whole")
    (folder.parent / "other").mkdir()
    (folder.parent / "whole").rename(folder.parent / "other" / "whole")
    assert archive.read(rows["whole"], settings).X.shape == (178, 4)


@pytest.mark.parametrize("prefix", [".", "data", "/home/someone/jmlr/data"])
def test_a_tar_equals_its_folder_whatever_leads_to_the_sets(rows, settings, folder, tmp_path, prefix):
    tar = tiny.pack(folder, tmp_path / "data.tar.gz", prefix)
    for name in ("whole", "parted", "unknown"):
        assert same(archive.read(rows[name], from_tar(tmp_path, tar)), archive.read(rows[name], settings))


def test_no_member_of_a_tar_is_written_or_followed(rows, folder, tmp_path):
    link = tarfile.TarInfo("data/absent/absent_R.dat")
    link.type, link.linkname = tarfile.SYMTYPE, str(folder / "whole" / "whole_R.dat")
    evil = [(tarfile.TarInfo("../../evil"), b"x"), (tarfile.TarInfo("/evil/whole_R.dat"), b"x"), (link, b"")]
    tar = tiny.pack(folder, tmp_path / "data.tar.gz", extra=evil)
    before = {path for path in tmp_path.rglob("*") if "results" not in path.parts}
    assert archive.read(rows["whole"], from_tar(tmp_path, tar)).X.shape == (178, 4)
    with pytest.raises(RunError, match="absent is unavailable"):
        archive.read(rows["absent"], from_tar(tmp_path, tar))
    assert {path for path in tmp_path.rglob("*") if "results" not in path.parts} == before
    assert [path for path in (tmp_path / "results").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    "damage",
    [lambda whole: whole[: len(whole) // 2], lambda whole: b"", lambda whole: whole[:-8] + bytes(4) + whole[-4:]],
    ids=["cut", "empty", "wrong checksum"],
)
def test_a_damaged_tar_is_refused(rows, folder, tmp_path, damage):
    tar = tiny.pack(folder, tmp_path / "data.tar.gz")
    tar.write_bytes(damage(tar.read_bytes()))
    with pytest.raises(RunError, match=r"not a complete tar.gz file"):
        archive.read(rows["whole"], from_tar(tmp_path, tar))


def test_a_gzip_file_that_is_no_tar_is_refused(rows, tmp_path):
    path = tmp_path / "data.tar.gz"
    path.write_bytes(gzip.compress(b"no tar" * 1000))
    with pytest.raises(RunError, match=r"not a complete tar.gz file"):
        archive.read(rows["whole"], from_tar(tmp_path, path))


def test_an_archive_is_fetched_once_from_its_address(rows, settings, folder, tmp_path):
    content = tiny.pack(folder, tmp_path / "data.tar.gz").read_bytes()
    with FileServer(content, ["cut"]) as server:
        there = from_tar(tmp_path, "", archive_url=server.url, pause_s=0)
        assert archive.lacking(rows["whole"], there) == ""
        assert same(archive.read(rows["whole"], there), archive.read(rows["whole"], settings))
        archive.read(rows["parted"], there)
        assert len(server.ranges) == 2
    archive.read(rows["board"], from_tar(tmp_path, ""))  # the address is not needed again
