"""Regrets, ranks and non-inferiority from the runs' file."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import bootstrap

from bayes_hpo.errors import UserError
from benchmarks.comparison import Comparison, best_so_far, excess
from benchmarks.peers import OPTIMIZERS
from benchmarks.regret import COLUMNS, RESULTS, read
from benchmarks.regret_report import non_inferiority, tables
from benchmarks.tasks import TASKS

RUNS = 6


def rows(losses, task="svm"):
    """A file's frame: optimizer -> final losses of its runs, seen at the second trial."""
    return pd.DataFrame(
        [
            [task, name, run, 0.1, "abc", f"1:0.9 2:{loss:g}"]
            for name, own in losses.items()
            for run, loss in enumerate(own)
        ],
        columns=COLUMNS,
    )


@pytest.fixture
def level():
    """Final losses, .2 to .7, that all optimizers share."""
    return {name: [0.2 + run / 10 for run in range(RUNS)] for name in OPTIMIZERS}


def test_the_lowest_loss_so_far_holds_until_a_lower_one():
    assert best_so_far("1:3 4:1.5", 5).tolist() == [3, 3, 3, 1.5, 1.5]


def test_the_lowest_error_of_an_instance_has_no_regret(level):
    level["random"] = [loss + 0.05 for loss in level["random"]]
    curves = Comparison.of(rows(level)).curves["svm"]
    assert curves["random"].shape == (RUNS, TASKS["svm"].budget)
    assert curves["random"][:, -1] == pytest.approx(0.05)
    assert (curves["smac"][:, -1] == 0).all()


def test_a_run_counts_when_every_optimizer_has_made_it(level):
    level["smac"] = level["smac"][:-2]
    assert len(Comparison.of(rows(level)).final("svm")) == RUNS - 2


def test_without_a_run_of_every_optimizer_there_is_no_table(level):
    del level["smac"]
    with pytest.raises(UserError, match="no task has a run of every optimizer yet"):
        Comparison.of(rows(level))


def test_equal_optimizers_share_their_rank_and_are_not_inferior(level):
    comparison = Comparison.of(rows(level))
    assert (comparison.mean_ranks() == 5).all(axis=None)
    assert non_inferiority(comparison)["fast - published"].tolist() == ["+0.00 (< +0.00) yes"]


def test_ours_is_held_against_the_best_peer(level):
    level["optuna_gp"] = [loss - 0.01 for loss in level["optuna_gp"]]
    comparison = Comparison.of(rows(level))
    assert comparison.best_peer("svm") == "optuna_gp"
    assert non_inferiority(comparison)["fast - best GP peer"].tolist() == ["+1.00 (< +1.00) no"]
    assert comparison.mean_ranks()["all"].idxmin() == "optuna_gp"


def test_the_bound_is_that_of_a_one_sided_bootstrap():
    rng = np.random.default_rng(0)
    ours, theirs = rng.standard_normal((2, 30))
    mean, bound = excess(ours, theirs)
    witness = bootstrap((ours - theirs,), np.mean, confidence_level=0.9, method="percentile", rng=1)
    assert mean == pytest.approx((ours - theirs).mean())
    assert bound == pytest.approx(witness.confidence_interval.high, abs=0.02)


def test_the_page_shows_what_the_file_holds():
    with open("benchmarks/README.md") as page:
        assert tables(Comparison.of(read(RESULTS))) in page.read()
