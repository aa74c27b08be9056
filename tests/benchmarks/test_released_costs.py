"""What released scores say of costs is what stages.plan estimates from it."""

import csv

import pandas as pd
import pytest

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import estimates
from bayes_hpo.campaign.grid import Grid
from benchmarks.costs import COLUMNS
from benchmarks.released_costs import rows, seconds

BO, DIVBO = ("holdout", "divbo_bo"), ("holdout", "divbo")


@pytest.fixture(scope="module")
def grid():
    return Grid.of("divbo", "small")


@pytest.fixture
def read(tmp_path):
    """Function: rows of the benchmark -> the Costs that are read from their file."""

    def of(measured):
        path = tmp_path / "costs.csv"
        with open(path, "w", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS, restval="")
            writer.writeheader()
            writer.writerows(measured)
        return Costs.read(path)

    return of


def test_searches_that_were_released_are_estimated_at_what_they_took(grid, read):
    """Made-up hours: random search takes an hour on every data set, BO three and a suggestion of a second."""
    taken = pd.DataFrame({("holdout", "random"): 3600.0, BO: 3 * 3600.0 + 250}, index=grid.datasets)
    suggestion = {"kind": "suggestion", "learner": "pipeline", "name": "divbo_bo", "candidates": 4950, "seconds": 1}
    found = read([suggestion, *rows(grid, taken, read([suggestion, *_anything()]))])
    hours = {row.searcher: row.hours / row.runs for row in estimates(grid, found) if row.runs}
    assert hours["random"] == pytest.approx(1, rel=0.01)
    assert hours["divbo_bo"] == pytest.approx(3 + 250 / 3600, rel=0.01)


def test_a_factor_compares_the_data_sets_of_a_search_and_wants_three(grid, read):
    taken = pd.DataFrame({("holdout", "random"): range(1, 13), BO: float("nan"), DIVBO: float("nan")}, grid.datasets)
    taken.loc[grid.datasets[:3], [BO]] = 12.0
    taken.loc[grid.datasets[:2], [DIVBO]] = 12.0
    (factor,) = (row for row in rows(grid, taken, read(_anything())) if row["kind"] == "factor")
    assert (factor["name"], factor["measured"], float(factor["seconds"])) == ("divbo_bo", 3, 36 / (1 + 2 + 3))


def test_without_released_random_searches_it_ends_in_a_sentence():
    with pytest.raises(SystemExit, match="divbo has no released scores of random search at scale toy"):
        seconds(Grid.of("divbo", "toy"))


def test_the_committed_rows_are_those_of_the_released_scores(grid):
    with open("conf/costs.csv", newline="") as stream:
        committed = [row for row in csv.DictReader(stream) if row["kind"] in ("model", "factor")]
    measured = {(row["kind"], row["name"]): float(row["seconds"]) for row in rows(grid, seconds(grid), Costs.read())}
    committed = {(row["kind"], row["name"]): float(row["seconds"]) for row in committed if row["learner"] == "pipeline"}
    assert committed.keys() == measured.keys()
    for name, value in committed.items():
        assert value == pytest.approx(measured[name], rel=0.5), name  # later repetitions may differ


def _anything():
    return [{"kind": "model", "learner": "pipeline", "train": 9, "predicted": 9, "p": 9, "seconds": 1}]
