"""Laws and faults of a score job: tidy rows of all methods, from whole pools only, the same in any order."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.learners import rbf_svm
from bayes_hpo.scoring.job import run_score
from bayes_hpo.search.block import run_block
from bayes_hpo.storage.manifest import pool_path, write_manifest

COLUMNS = {
    "study": "overfitting",
    "scale": "toy",
    "dataset": "tiny",
    "protocol": "holdout_sel",
    "validation": "holdout",
}

PREDICTING = {"_target_": "bayes_hpo.evaluation.WithPredictions"}


@pytest.fixture
def searched(tmp_path, iris, toy_job):
    """Function: search two repetitions in blocks; returns what run_score takes."""

    def run(searcher="cma", protocol="holdout_sel", folder="a", data=iris, blocks=((0, 1),), changes=None):
        place, data_path = tmp_path / folder, tmp_path / f"{folder}.data" / f"{data.name}.npz"
        data.save(data_path)
        job = toy_job(searcher, protocol, **(changes or {}))
        manifests = [place / f"block_{first:03d}-{last:03d}.json" for first, last in blocks]
        for (first, last), manifest in zip(blocks, manifests, strict=True):
            paths = {"data_path": data_path, "folder": place, "manifest": manifest}
            numbers = range(first, last + 1)
            run_block(job, numbers, **paths, depends={}, fingerprint="code", revision="abc")
        return {"job": job, "blocks": manifests, "data_path": data_path, "output": place / "scores" / "cma.parquet"}

    return run


def _score(searched, grid_of, pool=("holdout_sel", "cma"), scoring=None, **changes):
    job, scoring = searched["job"], scoring or grid_of().scoring(*pool)
    paths = {key: searched[key] for key in ("blocks", "data_path", "output")}
    run_score(
        job,
        scoring,
        **paths
        | {"depends": {}, "pool_fingerprint": "code", "refit_fingerprint": "code", "columns": COLUMNS}
        | changes,
    )
    return pq.read_table(searched["output"]).to_pylist()


def _same(rows):
    """Rows without what may differ: seconds."""
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def test_rows_are_one_per_method_repetition_and_step(searched, grid_of):
    rows = _score(searched(), grid_of)
    methods = grid_of().methods_on("holdout_sel", "cma")
    expected = [(r, method, t) for r in (0, 1) for method in methods for t in (6, 9)]
    assert [(row["repetition"], row["method"], row["iteration"]) for row in rows] == expected
    assert all(COLUMNS.items() <= row.items() for row in rows)
    assert all(0 <= row["test_error"] <= 1 and row["seconds"] > 0 and row["revision"] == "abc" for row in rows)


def test_a_pool_under_the_number_of_another_is_refused(searched, grid_of):
    made = searched(blocks=((0, 0),))
    folder = made["blocks"][0].parent
    copy = shutil.copy(folder / "rep_000.npz", folder / "rep_001.npz")
    write_manifest(folder / "block_000-001.json", {}, [folder / "rep_000.npz", Path(copy)])
    with pytest.raises(RunError, match=r"rep_001\.npz was searched with other code, settings or data"):
        _score(made | {"blocks": [folder / "block_000-001.json"]}, grid_of)


def test_a_pool_of_a_data_set_with_the_same_numbers_is_refused(searched, grid_of, iris, tmp_path):
    made = searched()
    same = tmp_path / "same.npz"
    replace(iris, header={"name": "same"}).save(same)
    with pytest.raises(RunError, match=r"rep_000\.npz was searched with other code, settings or data"):
        _score(made | {"data_path": same}, grid_of)


def test_what_the_scores_depend_on_stands_in_the_file(searched, grid_of):
    made = searched()
    _score(made, grid_of, depends={"config": {"x": 1}})
    assert json.loads(pq.read_schema(made["output"]).metadata[b"depends"]) == {"config": {"x": 1}}


def test_blocks_do_not_show_in_the_scores(searched, grid_of):
    together = _score(searched(folder="a"), grid_of)
    apart = _score(searched(folder="b", blocks=((1, 1), (0, 0))), grid_of)
    assert _same(together) == sorted(_same(apart), key=lambda row: row["repetition"])


def test_the_second_score_trains_nothing(searched, grid_of, monkeypatch):
    made = searched()
    first = _score(made, grid_of)
    monkeypatch.setattr(rbf_svm.RbfSvm, "fit", lambda *_: pytest.fail("trained again"))
    assert _score(made, grid_of) == first


def test_each_configuration_is_refit_once_for_all_methods(searched, grid_of, monkeypatch):
    made, fit, fits = searched(), rbf_svm.RbfSvm.fit, []

    def counted(self, configuration, X, y, rng):
        fits.append(json.dumps(configuration))
        return fit(self, configuration, X, y, rng)

    monkeypatch.setattr(rbf_svm.RbfSvm, "fit", counted)
    rows = _score(made, grid_of)
    assert len(fits) == len({(row["repetition"], row["configuration"]) for row in rows}) < len(rows)


def test_test_labels_move_errors_and_no_choice(searched, grid_of, iris):
    given = replace(iris, given_test=np.arange(0, 60, 3))
    other = replace(given, y=given.y.copy())
    other.y[::3] = (other.y[::3] + 1) % 3
    rows, moved = (_score(searched(folder=n, data=d), grid_of) for n, d in (("a", given), ("b", other)))
    assert [row["test_error"] for row in rows] != [row["test_error"] for row in moved]
    choices = ("method", "iteration", "configuration", "validation_loss", "repetition")
    assert [[row[key] for key in choices] for row in rows] == [[row[key] for key in choices] for row in moved]


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda pool, manifest: pool.unlink(), r"rep_001\.npz does not exist; delete .* and run its search"),
        (
            lambda pool, manifest: pool.write_bytes(pool.read_bytes()[:-9]),
            r"rep_001\.npz differs from .*json",
        ),
        (lambda pool, manifest: manifest.unlink(), r"there is no manifest .*block_000-001\.json"),
        (lambda pool, manifest: manifest.write_text("{"), "is not a complete manifest"),
    ],
)
def test_a_harmed_pool_or_manifest_is_a_fault_and_no_scores_are_written(searched, grid_of, harm, sentence):
    made = searched()
    harm(pool_path(made["output"].parents[1], 1), made["blocks"][0])
    with pytest.raises(RunError, match=sentence):
        _score(made, grid_of)
    assert not made["output"].exists()


def test_a_pool_without_a_finished_trial_is_told_by_its_path(searched, grid_of, monkeypatch):
    def failing(*_):
        raise ValueError("no luck")

    with monkeypatch.context() as patch:
        patch.setattr(rbf_svm.RbfSvm, "fit", failing)
        made = searched(blocks=((1, 1),))
    path = pool_path(made["blocks"][0].parent, 1)
    with pytest.raises(EmptyPoolError, match="none of the 9 trials of this pool has finished; bayes-hpo") as it:
        _score(made, grid_of)
    assert str(it.value).startswith(f"{path}: ")
    assert not made["output"].exists()


@pytest.mark.parametrize("selector", ["eo_probable", "es"])
def test_a_selector_of_probabilities_on_stored_labels_is_one_sentence(searched, grid_of, selector):
    made = searched("random", "kfold", changes={"evaluation": PREDICTING})
    scoring = grid_of().scoring("kfold", "random")
    node = grid_of("divbo").cfg["selectors"][selector]
    if "slots" in node:
        node = node | {"slots": node["slots"] | {"m": 3}}
    methods = {"one": {"selector": node, "along_search": False}}
    with pytest.raises(RunError, match="the models of this study predict labels"):
        _score(made, grid_of, scoring=scoring | {"methods": methods})


def test_pools_of_another_job_or_other_data_are_refused(searched, grid_of, iris, tmp_path):
    made = searched()
    with pytest.raises(RunError, match="searched with other code, settings or data"):
        _score(made, grid_of, pool_fingerprint="edited code")
    replace(iris, X=iris.X + 1).save(made["data_path"])
    with pytest.raises(RunError, match="searched with other code, settings or data"):
        _score(made, grid_of)


def test_a_full_disk_leaves_no_scores_and_the_pools(searched, grid_of, in_child):
    made = searched()
    code, problem = in_child(lambda: _score(made, grid_of), file_size=1500)
    assert (code, type(problem)) == (0, RunError)
    assert "could not be written" in str(problem)
    assert not made["output"].exists()
    assert len(_score(made, grid_of)) == 12
