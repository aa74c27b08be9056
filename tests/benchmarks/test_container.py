"""The steps of a Dockerfile as they are read: none is skipped, variables add up, the checkout is copied."""

from pathlib import Path

import pytest

from bayes_hpo.campaign.revision import VARIABLE
from benchmarks.container import ROOT, Container, steps


def test_continued_lines_are_one_step_and_comments_none():
    text = '# a comment\nFROM python:3.11-slim-bookworm\nRUN one \\\n    two\n\nCMD ["a", "b"]\n'
    assert list(steps(text)) == [("FROM", "python:3.11-slim-bookworm"), ("RUN", "one      two"), ("CMD", '["a", "b"]')]


def test_an_instruction_that_is_not_known_ends_the_run(tmp_path):
    with pytest.raises(SystemExit, match="HEALTHCHECK"):
        Container(tmp_path).step("HEALTHCHECK", "CMD true")


def test_every_step_of_the_committed_recipe_is_done_in_its_order(tmp_path, monkeypatch):
    done = []
    monkeypatch.setenv("REVISION", "1a2b3c4")
    monkeypatch.setattr(Container, "start", lambda self, image: done.append(image))
    monkeypatch.setattr(Container, "run", lambda self, words: done.append((self.folder, words)))
    container = Container(tmp_path)
    for step in steps((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        container.step(*step)
    assert done[0] == "python:3.11-slim-bookworm"
    assert done[-1] == ("/opt/bayes-hpo", "sh .ci/install /opt/venv base cluster")
    assert container.command == "snakemake --cores all"
    assert container.variables["PATH"].startswith("/opt/venv/bin:/usr/local/sbin:")
    assert container.variables[VARIABLE] == "1a2b3c4"
    assert ("/opt/bayes-hpo", "mkdir -p .snakemake") in done  # where Apptainer binds a folder that can be written
    copied = tmp_path / "opt/bayes-hpo"
    assert (copied / "requirements/base.txt").read_bytes() == (ROOT / "requirements/base.txt").read_bytes()
    assert (copied / "src/bayes_hpo/conf").is_symlink()
    assert not (copied / ".git").exists()


@pytest.mark.parametrize(("instruction", "argument"), [("FROM", "ubuntu:24.04"), ("COPY", "a b")])
def test_other_images_and_copies_are_refused(tmp_path, instruction, argument):
    with pytest.raises(SystemExit, match=f"{instruction} {argument}"):
        Container(Path(tmp_path)).step(instruction, argument)
