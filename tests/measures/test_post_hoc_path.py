"""The steps of a post-hoc ensemble end where its score does, and begin with the best single model."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from measured import frame, placed

from bayes_hpo.data.prepared import Data
from bayes_hpo.ensembles.greedy import WithoutReplacement
from bayes_hpo.measures.post_hoc_path import PostHocPath
from bayes_hpo.measures.searches import searches
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.job import run_score
from bayes_hpo.scoring.refit import Refit
from bayes_hpo.scoring.score import score, score_pool
from bayes_hpo.search.block import run_block
from bayes_hpo.selection.post_hoc import PostHoc
from bayes_hpo.storage.layout import data_file

STEPS = 100


@pytest.fixture(scope="module")
def grid(searched):
    """The study of one post-hoc ensemble, searched with five trials."""
    return searched("ensembles_bank")


@pytest.fixture(scope="module")
def rows(grid):
    return frame(grid, "post_hoc_path").set_index(["repetition", "step"])


@pytest.fixture(scope="module")
def scores(grid, tmp_path_factory):
    """The scores of both methods on the same pools."""
    output = tmp_path_factory.mktemp("scores") / "tiny/kfold/bo.parquet"
    output.parent.mkdir(parents=True)
    run_score(
        grid.job("kfold", "bo"),
        grid.scoring("kfold", "bo"),
        blocks=[Path(block.output) for block in grid.blocks("tiny", "kfold", "bo")],
        data_path=data_file("tiny", grid.results),
        output=output,
        depends={},
        pool_fingerprint="code",
        refit_fingerprint="code",
        columns={},
    )
    return pd.read_parquet(output).set_index(["method", "repetition"])


def test_the_last_step_has_the_score_of_the_method(rows, scores):
    for repetition in (0, 1):
        assert rows.loc[(repetition, STEPS), "test_error"] == scores.loc[("bo_bagged", repetition), "test_error"]


def test_the_best_single_model_has_the_score_of_bo_best(rows, scores):
    for repetition in (0, 1):
        score = scores.loc[("bo_best", repetition)]
        for step in (1, STEPS):
            assert rows.loc[(repetition, step), "single_error"] == score["test_error"]
            assert rows.loc[(repetition, step), "single_loss"] == score["validation_loss"]
        assert rows.loc[(repetition, 1), ["test_error", "validation_loss"]].tolist() == [
            score["test_error"],
            score["validation_loss"],
        ]


def test_every_search_has_a_hundred_steps(rows, grid):
    assert rows.groupby("repetition").size().tolist() == [STEPS] * len(list(searches(grid, ["bo_bagged"])))


@pytest.fixture
def ties(grid_of, iris, tmp_path):
    """A grid whose one search is of classes that are drawn, so that its models differ in most test rows."""
    data = replace(iris, y=np.random.default_rng(0).integers(3, size=60))
    grid = placed(grid_of("ensembles_bank"), data, tmp_path)
    grid.datasets = ["tiny"]
    job, (block,) = grid.job("kfold", "bo"), grid.blocks("tiny", "kfold", "bo")
    place = {"data_path": data_file("tiny", grid.results), "folder": Path(block.folder), "manifest": block.output}
    run_block(job, [0], **place, depends={}, fingerprint="code", revision="abc")
    return grid


def test_ties_of_votes_on_the_test_part_are_broken_as_in_a_score(ties, tmp_path):
    """Every step has the score of a selection of its size; members differ in rows, so pairs of them are tied there."""
    (search,) = searches(ties, ["bo_bagged"])
    data = Data.load(data_file("tiny", ties.results))
    repetition = Repetition.of(search.pool.provenance["job"], data, 0)
    predict = Refit(repetition, most=60, store=tmp_path / "refits.npz", fingerprint="")
    y_test = data.y[repetition.parts.test]
    selections = [PostHoc(greedy=WithoutReplacement(size=size, first=5)) for size in range(1, 6)]
    methods = {f"of {number}": (selector, False) for number, selector in enumerate(selections)}
    scored = score_pool(search.pool, methods, predict, y_test, search.seeds, task=repetition.task, every=1)
    errors = PostHocPath(methods=["bo_bagged"], selector=selections[-1], refit_cap=60)(ties)["test_error"]
    assert errors.tolist() == [row["test_error"] for row, _ in scored]
    pair = selections[1](search.pool, search.seeds)
    others = {score(pair, predict, y_test, search.seeds(f"other {k}"), repetition.task).mean() for k in range(20)}
    assert len(others) > 1  # ties that another order of labels would break otherwise
