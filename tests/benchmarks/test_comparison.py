"""Regrets, ranks and non-inferiority from the runs' file."""

import re

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
    assert comparison.mean_ranks()[["all runs", "all tasks"]].idxmin().tolist() == ["optuna_gp"] * 2


@pytest.mark.parametrize(("worse", "shown"), [(0.2, "+0.03 (< +0.10) yes"), (0.6, "+0.10 (< +0.30) no")])
def test_the_bound_not_the_mean_must_lie_below_the_margin_of_015(level, worse, shown):
    """One run of six is worse: of six draws .9377 hold it twice at most, .9913 thrice, so the bound is half of it."""
    level["fast"][2] += worse / 100
    found = non_inferiority(Comparison.of(rows(level)))
    assert found[["margin", "fast - best GP peer", "fast - published"]].to_numpy().tolist() == [["0.15", shown, shown]]


def test_every_run_of_every_task_is_a_block_of_the_ranks_and_of_their_critical_difference(level):
    """Best in six runs of one task, worst in four of the other; q of nine methods: Demsar (2006), table 5a."""
    first = level | {"fast": [loss - 0.1 for loss in level["fast"]]}
    last = {name: own[:4] for name, own in (level | {"fast": [loss + 0.1 for loss in level["fast"]]}).items()}
    comparison = Comparison.of(pd.concat([rows(first), rows(last, "forest")]))
    assert comparison.mean_ranks().loc["fast"].tolist() == pytest.approx([1, 9, (6 * 1 + 4 * 9) / 10, 5])
    among_runs, among_tasks = re.search(r"critical difference .*?(\d+\.\d+).*?(\d+\.\d+)", tables(comparison)).groups()
    assert float(among_runs) == pytest.approx(3.102 * np.sqrt(9 * 10 / (6 * 10)), abs=0.01)
    assert float(among_tasks) == pytest.approx(3.102 * np.sqrt(9 * 10 / (6 * 2)), abs=0.01)


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
