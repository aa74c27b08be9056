"""Runs that are killed, and runs in which a job fails: what was finished stays, the same command does the rest."""

import os
import re
import signal
import subprocess
import time
from itertools import pairwise

import numpy as np
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toy")]


def _wait_for_trials(journal, process):
    """Wait until some trials of the search are in its journal."""
    deadline = time.monotonic() + 120
    while not journal.is_file() or journal.read_bytes().count(b"\n") < 2:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_killed_with_all_its_jobs_the_same_command_does_the_rest(toy, arrays):
    place = ["--config", "results_dir=again", "products_dir=again"]
    command = ["--cores", 2, *place, "--", toy.score("holdout_r", "gp", results="again")]
    process = subprocess.Popen(toy.command(*command), start_new_session=True, **toy.surroundings)
    _wait_for_trials(toy.folder / "again/toy/pools/overfitting/sklearn-iris/holdout_r/gp/rep_000.journal", process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert toy.pools("again") == {}

    locked = toy.run(*command)
    assert (locked.returncode, "--unlock" in locked.stdout) == (1, True)
    assert toy.run("--unlock").returncode == 0
    done = toy.run(*command)
    assert done.returncode == 0, done.stdout
    assert "2 jobs done, 0 failed" in done.stdout
    log = toy.folder / "again/toy/logs/pools/overfitting/sklearn-iris/holdout_r/gp/block_000-000.log"
    assert re.search(r"resumed at trial [2-9] of 9", log.read_text())
    for place, path in toy.pools("again").items():
        np.testing.assert_equal(arrays(path), arrays(toy.pools()[place]))


def test_a_failed_job_leaves_the_others_and_is_named_with_its_command(fresh):
    registry = fresh.folder / "conf/datasets.csv"
    registry.write_text(registry.read_text().replace(";bundled,,,", ";overfitting_toy;bundled,,,"))
    iris = fresh.folder / "results/data/sklearn-iris.npz"
    iris.parent.mkdir(parents=True)
    iris.write_bytes(b"half a data set")
    wanted = [fresh.score("holdout", "random", dataset) for dataset in ("sklearn-iris", "sklearn-wine", "abalone")]
    done = fresh.run("--cores", 2, "--", *wanted)
    assert done.returncode == 1
    assert (fresh.folder / wanted[1]).is_file()
    said = done.stdout.rpartition("2 jobs done, 2 failed\n")[2].splitlines()
    told = [(line, command.strip()) for line, command in pairwise(said) if line.startswith("failed ")]
    (data, prepare), (failed, search) = told
    assert "results/data/abalone.npz: error: abalone is unavailable" in data
    assert prepare.startswith("python -m bayes_hpo.stages.data dataset=abalone")
    assert "results/data/sklearn-iris.npz is damaged; delete it and prepare it again" in failed

    iris.unlink()
    assert fresh.stage("python -m bayes_hpo.stages.data dataset=sklearn-iris").returncode == 0
    assert fresh.stage(search).returncode == 0
    assert len(fresh.pools()) == 2
