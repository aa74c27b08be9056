"""The toy grid from nothing to its tables and figure by one command, and what a second command finds to do."""

import resource
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.products import products

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toy")]
SECOND = {".tex": ".csv", ".pdf": ".png"}  # what stands beside the first file of a product


def test_one_command_makes_every_table_and_the_figure(toy_run):
    checkout, done = toy_run
    grid = Grid.of("overfitting", "toy")
    jobs = grid.search_jobs() + grid.score_jobs() + grid.measure_jobs()
    assert done.returncode == 0, done.stdout
    assert f"{len(jobs)} jobs done, 0 failed" in done.stdout
    assert all((checkout.folder / job.output).is_file() for job in jobs)
    first = [checkout.folder / product for product in products(grid)]
    second = [path.with_suffix(suffix) for path in first for suffix in (SECOND[path.suffix], ".json")]
    assert set(checkout.folder.glob("*/toy/thesis/*")) == {*first, *second}


def test_the_second_run_finds_nothing_to_do(toy_run):
    checkout, _ = toy_run
    again = checkout.run("--cores", 2, "toy_overfitting")
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout


def test_without_a_target_everything_of_smoke_is_made(fresh):
    done = fresh.run("--dry-run", "--verbose", "--cores", 2)
    assert done.returncode == 0, done.stdout
    grid = Grid.of("overfitting", "smoke")
    batches = [f"{batch}.done" for name in grid.datasets for batch in (f"{name}/search_0", f"{name}/score_0")]
    markers = [f"results/smoke/batches/overfitting/{name}" for name in (*batches, "report.done")]
    for wanted in ("report/smoke/index.html", "tables/smoke/ledger.csv", *markers):
        assert f"    output: {wanted}\n" in done.stdout


def test_every_file_of_a_study_is_a_target_of_its_own(fresh):
    grid = Grid.of("overfitting", "smoke")
    wanted = [job.output for job in grid.search_jobs() + grid.score_jobs()] + products(grid)
    assert fresh.planned(*wanted) >= set(wanted)


def test_one_score_file_asks_for_its_own_searches_alone(fresh):
    job = Grid.of("overfitting", "smoke").blocks("sklearn-wine", "kfold", "gp")[0]
    wanted = fresh.score("kfold", "gp", "sklearn-wine").replace("/toy/", "/smoke/")
    assert fresh.planned(wanted) == {"results/data/sklearn-wine.npz", job.output, wanted}


def test_a_folder_that_the_shell_would_not_understand_is_refused(fresh):
    done = fresh.run("--dry-run", "--config", "results_dir=a b")
    assert done.returncode == 1
    assert "--config results_dir=a b holds a space or a sign of the shell" in done.stdout


def test_a_config_value_reaches_the_job_and_the_printed_command_whatever_its_signs(fresh, tmp_path):
    archive = tmp_path / "it's an (old) archive; $HOME, a"
    archive.mkdir()
    done = fresh.run("--cores", 1, "--config", f"archive_dir={archive}", "--", "results/data/iris.npz")
    assert done.returncode == 1
    assert f"{archive} has no iris/" in done.stdout
    line = next(line.strip() for line in done.stdout.splitlines() if line.strip().startswith("python -m "))
    assert f"{archive} has no iris/" in fresh.stage(line).stdout


def test_an_unknown_config_key_is_refused(fresh):
    done = fresh.run("--dry-run", "--config", "result_dir=elsewhere", "--", "toy_overfitting")
    assert done.returncode == 1
    assert "unknown --config=result_dir (did you mean results_dir?); allowed: results_dir, products_dir" in done.stdout


def test_without_snakemakes_records_nothing_is_made_again(toy):
    shutil.rmtree(toy.folder / ".snakemake")
    assert toy.planned("toy_overfitting") == set()


def _marks(files):
    """What changes when a file is written again."""
    return {place: (path.stat().st_ino, path.stat().st_mtime_ns) for place, path in files.items()}


def test_a_search_that_is_asked_for_again_keeps_its_pools(toy):
    shutil.rmtree(toy.folder / ".snakemake")
    before = _marks(toy.pools())
    target = toy.score("kfold_r", "gp")
    done = toy.run("--cores", 2, "--forcerun", "search", "--", target)
    assert done.returncode == 0, done.stdout
    assert _marks(toy.pools()) == before
    log = toy.folder / "results/toy/logs/pools/overfitting/sklearn-iris/kfold_r/gp/block_000-000.log"
    assert "repetition 0 is done" in log.read_text()


def _scores(path):
    """What equal scores share."""
    return pd.read_parquet(path).drop(columns=["seconds", "revision"])


def test_one_core_makes_the_pools_and_scores_of_two(toy, arrays, tmp_path):
    targets = [("holdout_sel_r", "gp"), ("kfold_sel", "cma")]
    place = ["--config", f"results_dir={tmp_path}/elsewhere", f"products_dir={tmp_path}/products"]
    wanted = [toy.score(*target, results=tmp_path / "elsewhere") for target in targets]
    done = toy.run("--cores", 1, *place, "--", *wanted)
    assert done.returncode == 0, done.stdout
    assert "4 jobs done, 0 failed" in done.stdout
    pools = toy.pools(tmp_path / "elsewhere")
    assert len(pools) == 2
    for name, path in pools.items():
        np.testing.assert_equal(arrays(path), arrays(toy.pools()[name]))
    for target, path in zip(targets, wanted, strict=True):
        pd.testing.assert_frame_equal(_scores(path), _scores(toy.folder / toy.score(*target)), check_exact=True)


def test_no_space_for_a_table_leaves_the_older_ones(toy):
    made = {path: path.read_bytes() for path in toy.folder.glob("*/toy/thesis/*")}
    done = subprocess.run(
        [sys.executable, "-m", "bayes_hpo.stages.report", "study=overfitting", "scale=toy"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
        text=True,
        **toy.surroundings,
    )
    assert done.returncode == 1
    errors = [line for line in done.stdout.splitlines() if line.startswith("error: ")]
    assert errors[0].startswith("error: F3_1: figures/toy/thesis/F3_1.pdf could not be written")
    assert errors[-1].startswith("error: report/toy/index.html could not be written")
    assert {path: path.read_bytes() for path in toy.folder.glob("*/toy/thesis/*")} == made
