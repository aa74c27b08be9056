"""The plan ends with the command that starts what it has estimated."""

import re
from pathlib import Path

import pytest
import yaml

from bayes_hpo.campaign.targets import named

START = re.compile(r"start it with: snakemake --profile (\S+) (\S+)( --config skip=\S+)?")


@pytest.mark.parametrize("more", [(), ("skip=released",)])
def test_the_command_of_a_plan_has_a_target_and_the_profile_that_bounds_the_memory(command, more):
    done = command("plan", "study=overfitting", "scale=toy", *more)
    profile, target, config = START.search(done.stdout.splitlines()[-1]).groups()
    settings = yaml.safe_load(Path(profile, "config.yaml").read_text(encoding="utf-8"))
    assert settings["cores"] == "all"
    assert "mem_mb" in settings["resources"][0]
    assert target == "toy_overfitting"
    assert target in named()
    assert config == (" --config skip=released" if more else None)


def test_the_time_is_simulated_for_the_cores_that_are_given(command):
    done = command("plan", "study=overfitting", "scale=toy", "cores=[3,7]", "least_seconds=600")
    assert re.findall(r"^on (\d+) cores: ", done.stdout, re.MULTILINE) == ["3", "7"]
    assert "1 of searches, 1 of scores" in done.stdout
    assert command("plan", "study=overfitting", "scale=toy", "cores=[0]").returncode == 2


@pytest.mark.parametrize("stage", ["plan", "status"])
def test_a_data_set_that_is_left_out_of_a_run_is_left_out_of_its_plan(command, stage, tmp_path):
    words = ("study=overfitting", "scale=smoke", f"results_dir={tmp_path}")
    whole, without = (command(stage, *words, *more) for more in ((), ("without=[sklearn-wine]",)))
    assert without.returncode == 0
    numbers = [
        int(re.findall(r"(\d+) missing|^all +(\d+)", done.stdout, re.MULTILINE)[-1][stage == "plan"])
        for done in (whole, without)
    ]
    assert 0 < numbers[1] < numbers[0]
