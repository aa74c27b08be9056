"""Scores and what they are made from: hurt or foreign pools and manifests are refused, and no pickle is ever loaded."""

import shutil

import numpy as np
import pandas as pd
import pytest
from bits import flip_in_array

from bayes_hpo.pool import Pool, Proposal, Trial
from bayes_hpo.storage import npz
from bayes_hpo.storage.manifest import read_manifest, write_manifest
from bayes_hpo.storage.pools import FORM, write_pool

pytestmark = pytest.mark.slow  # every test runs stages

TWO = "study.scales.toy.repetitions.holdout=2"
NOT_EQUAL = ["seconds", "revision"]


class Trap:
    """Unpickled, it leaves a file behind."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return self.path.touch, ()


def _truncated(pool, whole):
    pool.write_bytes(whole[: len(whole) // 2])


def _empty(pool, whole):
    pool.write_bytes(b"")


def _bit_flipped(pool, whole):
    flip_in_array(pool, "seconds")


def _data_set(pool, whole):
    pool.write_bytes((pool.parents[6] / "data/sklearn-iris.npz").read_bytes())


def _pickle(path, whole, field="losses"):
    with np.load(path) as stored:
        arrays = dict(stored) | {field: np.array([Trap(path.with_name("sprung"))], dtype=object)}
    with open(path, "wb") as stream:
        np.savez(stream, **arrays)


@pytest.mark.parametrize("hurt", [_truncated, _empty, _bit_flipped, _data_set, _pickle])
def test_a_hurt_pool_is_refused(command, sentence, job, results, pool, contents, hurt):
    path, told = pool(results), "is of the form data 2, not pool 3" if hurt is _data_set else "is damaged"
    hurt(path, path.read_bytes())
    before = contents(results)
    score = ("score", *job, f"results_dir={results}")
    assert f"{path} {told}" in sentence(command("inspect", path), 1)
    assert f"{path} differs from block_000-000.json" in sentence(command(*score), 1)
    assert contents(results) == before

    manifest = path.with_name("block_000-000.json")
    write_manifest(manifest, read_manifest(manifest)["depends"], [path])  # as if it had been written like this
    assert f"{path} {told}" in sentence(command(*score), 1)
    assert not path.with_name("sprung").exists()


def test_too_little_memory_for_a_pool_is_one_sentence(stage, sentence, loaded, tmp_path):
    path = tmp_path / "rep_000.npz"
    npz.write(path, FORM, {"losses": np.zeros(50_000_000)})  # 400 MB
    size = loaded("bayes_hpo.stages.inspect", "bayes_hpo.pool")
    said = sentence(stage("inspect", path, memory=size + 2**26), 1)
    assert "too little memory for the stage" in said
    assert path.is_file()


def test_a_pool_of_another_search_is_refused(command, sentence, job, results, pool):
    path = pool(results)
    other = pool(results, "cma")
    other.parent.mkdir()
    for name in (path.name, "block_000-000.json"):
        other.with_name(name).write_bytes(path.with_name(name).read_bytes())
    said = sentence(command("score", *job, "searcher=cma", f"results_dir={results}"), 1)
    assert f"{other} was searched with other" in said


def test_a_pool_that_is_gone_is_named(command, sentence, job, results, pool):
    pool(results).unlink()
    assert f"{pool(results)} does not exist" in sentence(command("score", *job, f"results_dir={results}"), 1)
    assert f"there is no pool {pool(results)}" in sentence(command("inspect", pool(results)), 1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"schema": 1, "depe',
        b"\xff\xfe\x00",
        b'{"schema": 0, "name": "block_000-000.json", "depends": {}, "pools": {}}',
        b'{"schema": 2, "name": "block_000-000.json", "depends": {}, "pools": []}',
        b'{"schema": 2, "name": "block_000-001.json", "depends": {}, "pools": {}}',
    ],
)
def test_a_hurt_manifest_is_refused_and_made_again(command, sentence, job, results, pool, content):
    manifest = pool(results).with_name("block_000-000.json")
    whole = manifest.read_bytes()
    manifest.write_bytes(content)
    assert f"{manifest} is " in sentence(command("score", *job, f"results_dir={results}"), 1)
    assert command("search", *job, f"results_dir={results}").returncode == 0
    assert manifest.read_bytes() == whole


def test_blocks_of_one_or_two_make_the_same_scores(command, job, results):
    scores = []
    for seconds in (1e-9, 3600):
        overrides = (*job, TWO, f"scale.block_seconds={seconds}", f"results_dir={results}")
        if seconds == 3600:
            assert command("search", *overrides).returncode == 0
        assert command("score", *overrides).returncode == 0
        frame = pd.read_parquet(results / "toy/scores/overfitting/sklearn-iris/holdout/random.parquet")
        scores.append(frame.drop(columns=NOT_EQUAL))
    pd.testing.assert_frame_equal(*scores, check_exact=True)
    assert set(scores[0]["repetition"]) == {0, 1}


def test_status_counts_the_failed_trials_of_scored_searches(command, job, results):
    status = ("status", "study=overfitting", "scale=toy", f"results_dir={results}")
    assert "Failed trials" not in command(*status).stdout
    assert command("score", *job, f"results_dir={results}").returncode == 0
    told = command(*status)
    assert told.stdout.endswith("Failed trials in the searches of the study: none of 9 trials.\n"), told.stderr
    scores = results / "toy/scores/overfitting/sklearn-iris/holdout/random.parquet"
    scores.write_bytes(scores.read_bytes()[:-9])
    assert command(*status).returncode == 0


def test_a_hurt_store_of_refits_is_made_again(command, job, results, pool):
    score = ("score", *job, f"results_dir={results}")
    path = results / "toy/scores/overfitting/sklearn-iris/holdout/random.parquet"
    assert command(*score).returncode == 0
    whole = pd.read_parquet(path)
    _pickle(pool(results).with_suffix(".refits_5000.npz"), None, "predictions")
    assert command(*score).returncode == 0
    pd.testing.assert_frame_equal(pd.read_parquet(path), whole, check_exact=True)
    assert not pool(results).with_name("sprung").exists()


@pytest.mark.parametrize(("size", "kept"), [(100, set()), (1500, {"rep_000.refits_5000.npz"})])
def test_after_no_space_for_scores_the_same_command_makes_them(
    stage, command, sentence, job, results, contents, size, kept
):
    before = contents(results)
    score = ("score", *job, f"results_dir={results}")
    assert "could not be written" in sentence(stage(*score, file_size=size), 1)
    after = contents(results)
    assert {path.name for path in after.keys() - before.keys()} == kept
    assert before.items() <= after.items()
    assert command(*score).returncode == 0


def test_inspect_shows_every_trial(command, pool, searched):
    done = command("inspect", pool(searched))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("9 trials, ")
    assert "_target_: bayes_hpo.search.random.RandomSearch" in done.stdout


def test_inspect_shows_a_category_by_its_name(command, tmp_path):
    configuration = {"learner": "svm", "svm_C": 1 / 3}
    write_pool(Pool((Trial(Proposal(configuration, 0), np.array([0.25])),)), tmp_path / "pool.npz")
    assert " learner=svm svm_C=0.3333\n" in command("inspect", tmp_path / "pool.npz").stdout


def test_clean_deletes_what_is_set_aside_when_told(command, results, pool, contents):
    stale = pool(results).with_name("rep_000.journal.stale")
    stale.write_text("old")
    before = contents(results)
    clean = ("clean", "study=overfitting", "scale=toy", f"results_dir={results}")
    assert f"{stale}: set aside" in command(*clean).stdout
    assert contents(results) == before
    assert command(*clean, "apply=true").returncode == 0
    assert before.keys() - contents(results).keys() == {stale}


def test_clean_deletes_an_outdated_pool_but_no_current_one(command, job, results, pool):
    clean = ("clean", "study=overfitting", "scale=toy", f"results_dir={results}", "outdated=true", "apply=true")
    manifest = pool(results).with_name("block_000-000.json")
    write_manifest(manifest, {}, [])  # as after a kill between pool and manifest
    assert command(*clean).returncode == 0
    assert (pool(results).is_file(), manifest.is_file()) == (True, False)
    shutil.rmtree(pool(results).parent)  # overrides of a command never replace finished pools
    assert command("search", *job, "budget=2", f"results_dir={results}").returncode == 0
    assert command(*clean).returncode == 0
    assert (pool(results).is_file(), manifest.is_file()) == (False, False)


def test_a_report_without_scores_says_how_to_make_them(command, sentence, results):
    arguments = ("study=overfitting", "scale=toy", f"results_dir={results}", f"products_dir={results}")
    assert "make them with: snakemake --cores 2 toy_overfitting" in sentence(
        command("report", *arguments, "artifact=T3_1"), 1
    )
    done = command("report", *arguments)
    told = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert done.returncode == 1
    assert sum("holds no scores" in line for line in told) == 1  # one sentence for all artifacts that it keeps away
    assert not (results / "tables").exists()
