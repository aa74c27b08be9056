"""The steps of a post-hoc ensemble end where its score does, and begin with the best single model."""

from pathlib import Path

import pandas as pd
import pytest
from measured import frame

from bayes_hpo.measures.searches import searches
from bayes_hpo.scoring.job import run_score
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
