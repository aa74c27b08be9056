"""The command bayes-hpo does what the stage does, with its messages and exit codes, and lists the stages."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from bayes_hpo.__main__ import command, listing, names
from bayes_hpo.campaign.revision import UNKNOWN
from bayes_hpo.configuration.schemas import STAGES
from bayes_hpo.report.page.glossary import glossary


def run(*words):
    """(exit code, output, errors) of a process of Python."""
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def test_every_stage_is_listed_with_a_sentence():
    assert names() == sorted(STAGES)
    stages = listing().partition("stages:\n")[2].splitlines()
    assert [line.split()[0] for line in stages] == names()
    assert all(line.endswith(".") for line in stages)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["plan", "study=overfitting", "scale=smoke"],
        ["plan", "study=overfiting"],
        ["plan", "--help"],
        ["inspect", "nowhere.npz"],
        ["search", "study=overfitting", "--cfg"],
    ],
)
def test_it_is_the_stage(words):
    stage, *rest = words
    assert run("bayes_hpo", *words) == run(f"bayes_hpo.stages.{stage}", *rest)


@pytest.mark.slow
def test_alone_it_lists_and_a_wrong_stage_is_named():
    assert run("bayes_hpo") == run("bayes_hpo", "--help") == (0, f"{listing()}\n", "")
    code, output, error = run("bayes_hpo", "serch", "study=overfitting")
    assert (code, output) == (2, "")
    assert error.startswith("error: unknown stage=serch (did you mean search?); allowed: clean, data, ")


@pytest.mark.parametrize(("code", "named"), [("0123abc-dirty", ", revision 0123abc-dirty"), (UNKNOWN, "")])
def test_the_version_names_the_revision_of_a_checkout(monkeypatch, capsys, code, named):
    monkeypatch.setattr("bayes_hpo.campaign.revision.revision", lambda: code)
    monkeypatch.setattr("sys.argv", ["bayes-hpo", "--version"])
    command()
    assert capsys.readouterr().out == f"bayes-hpo {version('bayes-hpo')}{named}\n"


@pytest.mark.slow
def test_the_methods_are_those_of_the_glossary():
    code, output, _ = run("bayes_hpo", "methods")
    assert code == 0
    assert len(output.splitlines()) == 3 * (1 + len(glossary()))
    assert all(f"{row[0]} " in output and row[5] in output for row in glossary())


@pytest.mark.slow
def test_one_method_is_printed_wherever_a_document_has_the_name():
    code, output, _ = run("bayes_hpo", "methods", "gp-pm-r")
    assert (code, output) == run("bayes_hpo", "methods", "gp_pm_r")[:2]
    assert (code, output.splitlines()[3].split()) == (0, ["gp-pm-r", "gp", "reshuffled", "no", "posterior_mean"])
    lines = run("bayes_hpo", "methods", "EO")[1].splitlines()
    assert any("7 models" in line for line in lines)
    studies = [set(line.strip().split(", ")) for line in lines[2::3]]  # the line below each method, the first its head
    assert {"cifar"} in studies
    assert sum(map(len, studies)) == len(set().union(*studies))  # no two of a study
    code, output, error = run("bayes_hpo", "methods", "gppm")
    assert (code, output) == (2, "")
    assert error.startswith("error: unknown method=gppm (did you mean gp-pm?); allowed: ")
