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
