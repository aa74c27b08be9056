"""The revision of a checkout tells of changed code."""

import datetime
import subprocess

from bayes_hpo.campaign.revision import VARIABLE, date, revision


def commit(folder):
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", "-C", str(folder), *words], check=True)


def test_a_revision_tells_of_changed_code_and_not_of_what_was_released(tmp_path, monkeypatch):
    for name in ("src/code.py", "released/scores.csv"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1")
    commit(tmp_path)
    monkeypatch.setattr("bayes_hpo.campaign.revision.SOURCE", tmp_path / "src")
    clean = revision()
    (tmp_path / "released/scores.csv").write_text("2")
    assert revision() == clean
    (tmp_path / "src/code.py").write_text("2")
    assert revision() == f"{clean}-dirty"


def test_a_package_installed_below_a_checkout_has_not_its_revision(tmp_path, monkeypatch):
    (tmp_path / "paper.tex").write_text("1")
    commit(tmp_path)
    place = tmp_path / ".venv/lib"
    place.mkdir(parents=True)
    (place / "code.py").write_text("1")
    monkeypatch.setattr("bayes_hpo.campaign.revision.SOURCE", place)
    assert revision() == "unknown"


def test_the_date_is_the_commit_s_and_empty_outside_a_checkout(tmp_path, monkeypatch):
    datetime.date.fromisoformat(date())
    (tmp_path / "src").mkdir()
    monkeypatch.setattr("bayes_hpo.campaign.revision.SOURCE", tmp_path / "src")
    monkeypatch.delenv(VARIABLE, raising=False)
    assert (revision(), date()) == ("unknown", "")
    monkeypatch.setenv(VARIABLE, "1a2b3c4")
    assert (revision(), date()) == ("1a2b3c4", "")


def test_the_revision_of_a_checkout_is_its_own_whatever_the_environment_says(monkeypatch):
    monkeypatch.setenv(VARIABLE, "1a2b3c4")
    assert not revision().startswith("1a2b3c4")
