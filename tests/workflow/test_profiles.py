"""The profiles for Slurm and one machine: what Snakemake reads from them, and what each job asks for."""

import importlib.util
import re
from pathlib import Path

import pytest
import yaml
from snakemake.profiles import ProfileConfigFileParser

from bayes_hpo.campaign.grid import Grid

PROFILES = Path(__file__).parents[2] / "profiles"
LOCAL = {"data", "report", "toy_overfitting", "smoke_overfitting"}  # rules that need no node


def _jobs(text):
    """Name and resources (dict) of each job of a verbose dry run."""
    found = re.findall(r"^(?:local)?rule (\w+):\n((?:    .*\n)+)", text, re.MULTILINE)
    lines = [(name, re.search(r"^    resources: (.*)$", block, re.MULTILINE)) for name, block in found]
    return [(name, dict(pair.split("=", 1) for pair in line[1].split(", ")) if line else {}) for name, line in lines]


def _memory_of_the_workstation():
    """What the profile gives to all jobs together, 10^6 bytes, as Snakemake reads it."""
    with open(PROFILES / "workstation/config.yaml", encoding="utf-8") as stream:
        (resource,) = ProfileConfigFileParser().parse(stream)["resources"]
    name, _, number = resource.partition("=")
    assert name == "mem_mb"
    return int(number)


def test_the_profile_of_one_machine_has_all_its_cores_and_nine_tenths_of_its_memory():
    with open(PROFILES / "workstation/config.yaml", encoding="utf-8") as stream:
        profile = ProfileConfigFileParser().parse(stream)
    assert profile["cores"] == "all"
    kib = int(re.search(r"^MemTotal:\s+(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)[1])
    assert _memory_of_the_workstation() == pytest.approx(0.9 * kib * 1024 / 1e6, rel=0.01)


def _slurm():
    """The settings of the profile of Slurm, as Snakemake reads them."""
    with open(PROFILES / "slurm/config.yaml", encoding="utf-8") as stream:
        return ProfileConfigFileParser().parse(stream)


def test_the_profile_of_slurm_is_read_as_it_was_meant():
    profile = _slurm()
    settings = yaml.safe_load((PROFILES.parent / profile["configfile"]).read_text())
    assert profile["executor"] == "slurm"
    assert profile["default-resources"] == ["cpus_per_task=1"]
    assert 0 < int(profile["retries"]) <= 5
    assert int(profile["jobs"]) <= 1024
    assert settings == {"least_seconds": 600}


@pytest.mark.parametrize(("code", "asked"), [(0, ("sacct", None)), (1, ("squeue", "True")), (None, ("squeue", "True"))])
def test_the_queue_is_asked_where_slurm_has_no_accounting(tmp_path, monkeypatch, code, asked):
    """Without it a query of sacct fails, which the plug-in takes for jobs that still run."""
    if code is not None:
        (tmp_path / "sacct").write_text(f"#!/bin/sh\nexit {code}\n")
        (tmp_path / "sacct").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    profile = _slurm()
    assert (profile["slurm-status-command"], profile.get("slurm-no-account")) == asked


def test_every_rule_whose_jobs_run_on_a_node_states_their_memory_and_time_by_attempt():
    assert [line.partition("=")[0] for line in _slurm()["default-resources"]] == ["cpus_per_task"]  # others would hide
    texts = (path.read_text() for path in sorted(PROFILES.parent.glob("workflow/rules/*.smk")))
    blocks = [block for text in texts for block in re.split(r"^(?=rule \w+:$)", text, flags=re.MULTILINE)[1:]]
    of_nodes = {block.split()[1].rstrip(":"): block for block in blocks if "localrule: True" not in block}
    assert set(of_nodes) == {"searches", "search", "scores", "score", "measure"}
    for block in of_nodes.values():
        for name in ("mem_mb", "runtime"):
            assert re.search(rf"^        {name}=lambda w, attempt: .*attempt", block, re.MULTILINE)
    for amount in re.findall(r"(lambda w, attempt: .*),$", of_nodes["measure"], re.MULTILINE):
        assert 0 < eval(amount)(None, 1) < eval(amount)(None, 2)


@pytest.mark.slow
@pytest.mark.xdist_group("toy")
def test_every_job_that_needs_a_node_asks_for_memory_and_time_and_fits_into_the_machine(fresh):
    done = fresh.run("--dry-run", "--verbose", "--profile", "profiles/workstation", "toy_overfitting")
    assert done.returncode == 0, done.stdout
    jobs = _jobs(done.stdout)
    assert {"searches", "scores", "measure"} <= {name for name, _ in jobs}
    for name, resources in jobs:
        if name not in LOCAL:
            assert 500 <= int(resources["mem_mb"]) <= _memory_of_the_workstation(), name
            assert int(resources["runtime"]) >= 15, name


@pytest.mark.slow
@pytest.mark.xdist_group("toy")
def test_short_batches_are_joined_over_data_sets(fresh):
    separate = fresh.planned("smoke_overfitting")
    done = fresh.run("--dry-run", "--verbose", "--cores", 2, "--config", "least_seconds=600", "--", "smoke_overfitting")
    names = [name for name, _ in _jobs(done.stdout)]
    datasets = Grid.of("overfitting", "smoke").datasets
    assert sum("/search_" in output for output in separate) == len(datasets) > 1
    assert (names.count("searches"), names.count("scores")) == (1, 1)


@pytest.mark.slow
@pytest.mark.xdist_group("toy")
@pytest.mark.skipif(not importlib.util.find_spec("snakemake_executor_plugin_slurm"), reason="needs the extra test")
def test_a_plan_for_slurm_asks_for_one_core_a_job(fresh):
    done = fresh.run("--dry-run", "--verbose", "--profile", "profiles/slurm", "--", "smoke_overfitting")
    assert done.returncode == 0, done.stdout
    for name, resources in _jobs(done.stdout):
        if name not in LOCAL:
            assert resources["cpus_per_task"] == "1"
            assert {"mem_mb", "runtime"} <= set(resources)


@pytest.mark.slow
@pytest.mark.xdist_group("toy")
def test_least_seconds_that_are_no_number_end_in_one_sentence(fresh):
    done = fresh.run("--dry-run", "--config", "least_seconds=soon", "--", "toy_overfitting")
    assert done.returncode == 1
    assert "least_seconds=soon is not a number of seconds" in done.stdout
