"""Errors by size of an ensemble: the whole one is the method's score, the first model is the argmin's."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.measures.ensemble_sizes import VoteLoss, steps
from bayes_hpo.measures.searches import searches
from bayes_hpo.scoring.job import run_score
from bayes_hpo.storage.layout import data_file

METHODS = ["bo_post_100", "eo_7_post"]


@pytest.fixture(scope="module")
def measured(searched, grid_of):
    """(grid, frame of the sizes, their selector) of study cifar on tiny data."""
    pytest.importorskip("torch", reason="the extra cnn is not installed")
    grid = searched("cifar")
    node = grid.cfg["measures"]["ensemble_sizes"]
    return grid, build(node, "measure")(grid), build(node["selector"], "selector")


def scores(grid, pool, tmp_path):
    """Method -> test error at the end of each repetition, from the score job of a pool."""
    blocks, output = [block.output for block in grid.blocks("tiny", *pool)], tmp_path / "scores.parquet"
    run_score(grid.job(*pool), grid.scoring(*pool), blocks=blocks, data_path=data_file("tiny", grid.results),
              output=output, depends={}, pool_fingerprint="code", refit_fingerprint="code", columns={})  # fmt: skip
    rows = pd.read_parquet(output)
    return {name: part.sort_values("repetition")["test_error"].tolist() for name, part in rows.groupby("method")}


@pytest.mark.slow
def test_the_whole_ensemble_has_the_score_of_its_method_and_the_first_model_that_of_argmin(measured, tmp_path):
    grid, frame, _ = measured
    best = {"bo_post_100": "bo_best", "eo_7_post": "eo_7_best"}
    for pool in grid.pools:
        scored = scores(grid, pool, tmp_path)
        for method in set(METHODS) & set(scored):
            rows = frame[frame["method"] == method].sort_values("repetition")
            assert rows[rows["size"] == 100]["test_error"].tolist() == scored[method]
            assert rows[rows["size"] == 1]["test_error"].tolist() == scored[best[method]]


@pytest.mark.slow
def test_every_size_of_every_search_is_a_row(measured):
    _, frame, _ = measured
    assert len(frame) == len(METHODS) * 2 * 100
    assert set(frame["size"]) == set(range(1, 101))
    assert frame[["validation_error", "test_error"]].stack().between(0, 1).all()


@pytest.mark.slow
def test_validation_errors_are_those_of_the_vote(measured):
    grid, frame, selector = measured
    for search in searches(grid, METHODS):
        path, history = steps(selector, search), search.pool.history
        labels = np.array([trial.predictions for trial in search.pool])
        for size in (1, 2, 3, 4, 100):
            ensemble = Ensemble.of_trials(history.configurations, path.trials[:size])
            rows = frame[(frame["method"] == search.key["method"]) & (frame["size"] == size)]
            error = rows[rows["repetition"] == search.key["repetition"]]["validation_error"].item()
            counts = np.array(
                [
                    [(labels[[m.trial for m in ensemble.members for _ in range(int(m.weight))]] == c).sum(0)]
                    for c in range(3)
                ]
            )[:, 0]  # fmt: skip  (n_classes, n_validation) votes
            right = np.take_along_axis(counts, history.truth.y[None].astype(int), axis=0)[0]
            others = np.where(np.arange(3)[:, None] == history.truth.y, -1, counts).max(axis=0)
            assert (others > right).mean() <= error <= (others >= right).mean()


@pytest.mark.slow
def test_the_loss_of_the_whole_vote_is_a_statistic_of_its_search(measured):
    grid, frame, selector = measured
    statistics = VoteLoss(methods=METHODS, selector=selector)(grid)
    whole = frame[frame["size"] == 100]
    np.testing.assert_allclose(statistics["value"], 100 * whole["validation_error"])
    assert set(statistics["quantity"]) == {"vote_loss"}
