"""Laws of the dating: what is outdated by its own record is older than anything, what is current is left."""

import os
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from bayes_hpo.campaign.dating import OLDEST, date_manifest, date_request, date_scores, is_scored, is_searched
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.storage import parquet
from bayes_hpo.storage.manifest import pool_path, write_manifest
from bayes_hpo.storage.provenance import footer

POOL = ("overfitting", "toy", "sklearn-iris", "holdout", "random")
CURRENT, OTHER = {"fingerprint": "current"}, {"fingerprint": "other"}


def _is_oldest(job):
    return Path(job.output).stat().st_mtime == OLDEST


@pytest.fixture
def manifest(tmp_path):
    """A search job whose manifest and pool are there."""
    job = SearchJob(*POOL, 0, 0, str(tmp_path))
    pool_path(job.folder, 0).parent.mkdir(parents=True)
    pool_path(job.folder, 0).write_bytes(b"not looked at")
    write_manifest(job.output, CURRENT, [pool_path(job.folder, 0)])
    return job


@pytest.fixture
def scores(tmp_path):
    """A score job whose file was made from two pools."""
    job = ScoreJob(*POOL, str(tmp_path))
    Path(job.output).parent.mkdir(parents=True)
    parquet.write(pa.table({"test_error": [0.1]}), job.output, footer(CURRENT, {}, ["a", "b"]))
    return job


@pytest.mark.parametrize(("wanted", "oldest"), [(CURRENT, False), (OTHER, True)])
def test_a_manifest_is_dated_back_when_it_depends_on_something_else(manifest, wanted, oldest):
    date_manifest(manifest, wanted)
    assert _is_oldest(manifest) == oldest


def test_a_manifest_without_its_pool_is_dated_back(manifest):
    pool_path(manifest.folder, 0).unlink()
    date_manifest(manifest, CURRENT)
    assert _is_oldest(manifest)


@pytest.mark.parametrize(
    ("wanted", "repetitions", "oldest"), [(CURRENT, 2, False), (OTHER, 2, True), (CURRENT, 3, True), (CURRENT, 1, True)]
)
def test_scores_are_dated_back_when_they_depend_on_something_else_or_lack_a_repetition(
    scores, wanted, repetitions, oldest
):
    date_scores(scores, wanted, repetitions)
    assert _is_oldest(scores) == oldest


def test_what_is_not_there_is_left_so(manifest, scores):
    for job in (replace(manifest, searcher="gp"), replace(scores, searcher="gp")):
        (date_manifest(job, CURRENT) if hasattr(job, "first") else date_scores(job, CURRENT, 2))
        assert not Path(job.output).exists()


def test_a_search_is_done_when_its_manifest_is_of_now(manifest):
    assert is_searched(manifest, CURRENT)
    assert not is_searched(manifest, OTHER)
    pool_path(manifest.folder, 0).unlink()
    assert not is_searched(manifest, CURRENT)


@pytest.mark.parametrize(("wanted", "number", "done"), [(CURRENT, 2, True), (CURRENT, 3, False), (OTHER, 2, False)])
def test_a_score_is_done_when_it_is_of_now_and_of_all_repetitions(scores, wanted, number, done):
    assert is_scored(scores, wanted, number) == done


def test_a_request_is_newer_than_a_product_only_while_something_is_missing(tmp_path):
    product, made = tmp_path / "product", tmp_path / "made"
    product.touch()
    os.utime(product, (OLDEST + 1, OLDEST + 1))
    request = date_request(str(tmp_path / "folder/request"), [str(made)])
    assert Path(request).stat().st_mtime > product.stat().st_mtime
    made.touch()
    date_request(request, [str(made)])
    assert Path(request).stat().st_mtime < product.stat().st_mtime
