"""Laws of cleaning: leftovers, files set aside and outdated files are listed with their reason, and nothing else."""

import json
import os
import time
from copy import copy
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bayes_hpo.campaign.cleaning import removable_files
from bayes_hpo.campaign.progress import scores_of_no_search
from bayes_hpo.scores.frames import outdated
from bayes_hpo.storage.layout import log_file
from bayes_hpo.storage.manifest import pool_path, write_manifest
from bayes_hpo.storage.pools import write_pool

DAY = 86400


@pytest.fixture
def grid(grid_of, tmp_path):
    """The toy grid with an empty results folder."""
    assert grid_of().digests.search_depends
    assert grid_of().digests.score_depends  # computed once, shared by the copy
    grid = copy(grid_of())
    grid.results = str(tmp_path / "results")
    return grid


@pytest.fixture
def search(grid, pool_from):
    """Function: the files of a finished search job as (manifest, pool), which depend on another budget or not."""

    def make(job, *, manifest_budget=None, pool_budget=None):
        def depends(budget):
            own = grid.digests.search_depends[job.protocol, job.searcher]
            other = {"fingerprint": f"budget {budget}", "config": own["config"] | {"budget": budget}}
            return own if budget is None else own | other

        pool = pool_path(job.folder, job.first)
        fingerprint = f"{depends(pool_budget)['fingerprint']}-of-data"
        write_pool(replace(pool_from([0.5]), fingerprint=fingerprint), pool)
        write_manifest(job.output, depends(manifest_budget), [pool])
        return Path(job.output), pool

    return make


def _score(grid, job, **changes):
    """The file of a finished score job, which depends on something else after `changes`."""
    depends = grid.digests.score_depends[job.protocol, job.searcher] | changes
    path = Path(job.output)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"x": [1]}).replace_schema_metadata({"depends": json.dumps(depends)}), path)
    return path


def _touch(path, age=0):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"some")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_an_empty_tree_leaves_nothing(grid):
    assert removable_files(grid, outdated=True) == []


def test_what_is_current_running_or_unfinished_stays(grid, search):
    done, unfinished = grid.search_jobs()[:2]
    manifest, _ = search(done)
    search(unfinished, pool_budget=7)[0].unlink()
    _score(grid, grid.score_jobs()[0])
    _touch(manifest.with_name("rep_000.journal"), 9 * DAY)
    _touch(manifest.with_name(".rep_001.npz.0a0b0c0d.part"))
    _touch(Path(log_file(done.output, done.scale, done.results)), 9 * DAY)
    _touch(Path(grid.results, "data", "sklearn-iris.npz"), 9 * DAY)
    assert removable_files(grid, outdated=True) == []


def test_leftovers_and_files_set_aside_are_listed_in_order(grid):
    root = Path(grid.results)
    left = [_touch(root / place / ".rep_000.npz.0a0b0c0d.part", 2 * DAY) for place in ("toy/pools/any", "data")]
    aside = [_touch(root / place) for place in ("toy/pools/any/rep_001.npz.stale", "toy/rep_000.journal.stale")]
    expected = sorted([(path, "left by a killed job") for path in left] + [(path, "set aside") for path in aside])
    assert removable_files(grid, outdated=True) == removable_files(grid, outdated=False) == expected


def test_outdated_files_are_listed_with_what_changed_when_asked_for(grid, search):
    manifest, pool = search(grid.search_jobs()[0], manifest_budget=7, pool_budget=7)
    score = _score(grid, grid.score_jobs()[0], fingerprint="another", modules={})
    reasons = dict(removable_files(grid, outdated=True))
    assert set(reasons) == {manifest, pool, score}
    assert reasons[manifest] == reasons[pool] == "outdated, changed: key budget"
    assert reasons[score].startswith("outdated, changed: module bayes_hpo")
    assert removable_files(grid, outdated=False) == []


def test_what_lies_beside_an_outdated_file_goes_with_it(grid, search):
    _, pool = search(grid.search_jobs()[0], manifest_budget=7, pool_budget=7)
    score = _score(grid, grid.score_jobs()[0], fingerprint="another", modules={})
    beside = [pool.with_suffix(".test.npz"), pool.with_suffix(".refits_5000.npz"), score.with_suffix(".losses.npz")]
    for path in beside:
        path.write_bytes(b"x")
    assert set(beside) <= set(dict(removable_files(grid, outdated=True)))
    assert removable_files(grid, outdated=False) == []


def test_a_pool_that_is_made_anew_stays_when_its_manifest_is_outdated(grid, search):
    manifest, _ = search(grid.search_jobs()[0], manifest_budget=7)
    assert [path for path, _ in removable_files(grid, outdated=True)] == [manifest]


def test_a_damaged_pool_of_an_outdated_job_is_listed(grid, search):
    manifest, pool = search(grid.search_jobs()[0], manifest_budget=7)
    pool.write_bytes(pool.read_bytes()[:100])
    assert {path for path, _ in removable_files(grid, outdated=True)} == {manifest, pool}


def test_scores_of_a_searcher_that_was_taken_out_are_outdated(grid):
    job = grid.score_jobs()[0]
    _score(grid, job)
    orphan = Path(job.output).with_name("taken_out.parquet")
    orphan.write_bytes(Path(job.output).read_bytes())
    assert scores_of_no_search(grid) == [orphan]
    assert removable_files(grid, outdated=True) == [(orphan, "scores of no search of the study")]
    assert removable_files(grid, outdated=False) == []
    assert outdated(orphan.parents[2], grid.datasets, grid.digests.score_depends) == [orphan]
