"""Completion in a shell: what bash offers after the command, and what the command's help says of the same names."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from bayes_hpo.__main__ import names
from bayes_hpo.configuration.completion import SCRIPTS, candidates
from bayes_hpo.configuration.offered import settings
from bayes_hpo.configuration.options import options
from bayes_hpo.configuration.schemas import STAGES
from bayes_hpo.configuration.usage import usage
from bayes_hpo.data.registry import registry

PROGRAMS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
ASK = """
eval "$(bayes-hpo completion bash)"
COMP_LINE="$1" COMP_POINT=${#1} COMP_WORDBREAKS=$2
_bayes_hpo bayes-hpo 2> /dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(line, breaks=" \n="):
    """What bash offers at the end of a line; breaks: COMP_WORDBREAKS."""
    command = ["bash", "-c", ASK, "bash", line, breaks]
    done = subprocess.run(command, env=os.environ | {"PATH": PROGRAMS}, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bayes-hpo se", ["search"]),
        ("bayes-hpo search sea", ["searcher="]),
        ("bayes-hpo search searcher=cma", ["cma", "cma_cash"]),
        ("bayes-hpo search study=overfitting scale=s", ["small", "smoke"]),
        ("bayes-hpo data list=", ["true", "false"]),
        ("bayes-hpo data dataset=sklearn-i", ["sklearn-iris"]),
        ("bayes-hpo data suite=conditional2", ["conditional24"]),
        ("bayes-hpo completion ", list(SCRIPTS)),
        ("bayes-hpo search budget=", []),
    ],
)
def test_bash_offers_stages_settings_and_options(line, words):
    assert offered(line) == words


@pytest.mark.slow
def test_bash_replaces_the_whole_word_where_it_does_not_end_words_at_an_equals_sign():
    assert offered("bayes-hpo search searcher=cma", breaks=" \n") == ["searcher=cma", "searcher=cma_cash"]


def test_every_setting_and_option_of_a_stage_can_be_completed():
    assert candidates([""], names())[: len(STAGES)] == names()
    for stage, schema in STAGES.items():
        keys = {setting.name.partition(".")[0] for setting in settings(stage)}
        assert keys == set(schema.__dataclass_fields__) - {"names"}, stage
        for group in (setting.name for setting in settings(stage) if setting.is_group):
            assert candidates([stage, f"{group}="], names()) == [f"{group}={option}" for option in options(group)]
    assert candidates(["search", "dataset="], names()) == [f"dataset={name}" for name in sorted(registry())]


def test_a_setting_that_is_given_is_not_offered_again():
    assert "study=" in candidates(["search", ""], names())
    assert "study=" not in candidates(["search", "study=overfitting", ""], names())


@pytest.mark.slow
def test_an_answer_comes_before_a_person_waits_and_without_hydra():
    line = [sys.executable, "-m", "bayes_hpo", "completion", "words", "search", "searcher="]
    loaded = subprocess.run([line[0], "-X", "importtime", *line[1:]], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == [f"searcher={name}" for name in options("searcher")]
    assert not {"hydra", "omegaconf", "yaml", "numpy"} & {
        told.rpartition("|")[2].strip() for told in loaded.stderr.splitlines()
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(line, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3  # whatever else the machine does


def test_help_holds_every_setting_of_the_stage_and_no_other_group():
    text = usage("search", "Search.")
    lines = Path("conf/search.yaml").read_text(encoding="utf-8").splitlines()
    assert all(f"  {line}\n" in text for line in lines if line[:1].isalpha() and line != "defaults:")
    assert [line.split(":")[0].strip() for line in usage("data", "").splitlines() if "data.csv" in line] == ["data.csv"]
    assert "kernel:" not in text
    for stage in ("data", "methods", "inspect"):
        assert "groups" not in usage(stage, "")
    assert all(f"{setting.name}: " in usage(stage, "") for stage in STAGES for setting in settings(stage))
