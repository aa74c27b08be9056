"""The list of sums: any change of a released file or of the list is told, and nothing is summed anew unasked."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from bits import flipped

from bayes_hpo.errors import RunError
from bayes_hpo.scores.sums import NAME, Sums
from bayes_hpo.storage.files import locked

RELEASE = "python -m bayes_hpo.stages.release study=overfitting scale=small"
WHICH = ("overfitting", "small")
COMMITTED = sorted(path.parts[1:] for path in Path("released").glob("*/*") if path.is_dir())


@pytest.fixture
def released(tmp_path):
    """A folder with two listed files of overfitting at small and one of another study."""
    for name in (
        "overfitting/small/iris/ho/gp",
        "overfitting/small/measures/splits",
        "svm_width/small/measures/x",
    ):
        path = tmp_path / f"released/{name}.parquet"
        path.parent.mkdir(parents=True)
        path.write_text(name)
    for study in ("overfitting", "svm_width"):
        Sums(tmp_path / "released").add(study, "small")
    return tmp_path / "released"


def _check_all(released):
    for which in (WHICH, ("svm_width", "small")):
        Sums(released).check(*which)


@pytest.mark.parametrize("which", COMMITTED, ids=" ".join)
def test_what_is_committed_is_what_is_listed(which):
    Sums("released").check(*which)


def test_nothing_else_is_listed():
    assert {tuple(name.split("/")[:2]) for name in Sums("released").listed} == set(COMMITTED)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no sha256sum here")
def test_the_list_is_that_of_sha256sum(released):
    check = ["sha256sum", "--check", "--strict", NAME]
    assert subprocess.run(check, cwd=released, capture_output=True).returncode == 0
    (released / "svm_width/small/measures/x.parquet").write_text("another")
    assert subprocess.run(check, cwd=released, capture_output=True).returncode == 1


def test_a_flipped_bit_of_a_file_is_told(released):
    path = released / "overfitting/small/measures/splits.parquet"
    for _ in flipped(path, every=1):
        with pytest.raises(
            RunError, match=rf"{path} is not the file that {released}/{NAME} lists; restore it with: git"
        ):
            Sums(released).check(*WHICH)
        Sums(released).check("svm_width", "small")
    Sums(released).check(*WHICH)


def test_a_flipped_bit_of_the_list_is_told(released):
    for _ in flipped(released / NAME, every=1):
        with pytest.raises(RunError, match=r"is not the file|is not listed|has a damaged line|cannot be read"):
            _check_all(released)


def test_a_file_that_is_gone_renamed_or_new_is_told(released):
    path = released / "overfitting/small/measures/splits.parquet"
    other = path.rename(path.with_name("renamed.parquet"))
    with pytest.raises(RunError, match=rf"{path} is not the file that .*; restore it with: git checkout -- {path}"):
        Sums(released).check(*WHICH)
    shutil.copy(other, path)
    with pytest.raises(RunError, match=rf"{other} is not listed in .*; if it belongs there, list it with: {RELEASE}"):
        Sums(released).check(*WHICH)


def test_what_was_copied_by_hand_is_listed_and_nothing_that_is_listed_is_summed_anew(released):
    (released / "overfitting/small/measures/new.parquet").write_text("new")
    (released / "overfitting/small/measures/splits.parquet").write_text("another")
    before = Sums(released).listed
    Sums(released).add(*WHICH)
    after = Sums(released).listed
    assert after.keys() - before.keys() == {"overfitting/small/measures/new.parquet"}
    assert before.items() <= after.items()
    with pytest.raises(RunError, match=r"splits\.parquet is not the file that .*delete its line there and run: "):
        Sums(released).verify(*WHICH)


def test_two_releases_at_once_do_not_lose_a_line_of_each_other(released):
    one, other = Sums(released), Sums(released)
    for sums, name in ((one, "one"), (other, "other")):
        path = released / f"overfitting/small/measures/{name}.parquet"
        with sums.changing(path):
            path.write_text(name)
    Sums(released).check(*WHICH)


def test_a_list_that_another_release_is_writing_is_waited_for(released, monkeypatch):
    monkeypatch.setattr("bayes_hpo.scores.sums.PATIENCE_S", 0.1)
    with locked(released / ".SHA256SUMS.lock", 1), pytest.raises(RunError, match="another job is writing"):
        Sums(released).add(*WHICH)


def test_what_a_killed_release_has_written_is_listed_by_the_next(released, in_child):
    path = released / "overfitting/small/measures/splits.parquet"

    def killed():
        with Sums(released).changing(path):
            path.write_text("new")
            os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(killed)[0] == -signal.SIGKILL
    with pytest.raises(RunError, match="is not listed"):
        Sums(released).check(*WHICH)
    Sums(released).verify(*WHICH)
    Sums(released).add(*WHICH)
    Sums(released).check(*WHICH)
