"""What is measured for stages.plan is what stages.plan reads."""

import csv

import pytest

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.grid import Grid
from benchmarks import costs

pytestmark = pytest.mark.slow  # whole searches are made


@pytest.fixture
def read(tmp_path, monkeypatch, iris):
    """Function: rows of the benchmark on a tiny data set -> the Costs that are read from their file."""
    monkeypatch.setattr(costs.Data, "load", lambda path: iris)

    def of(rows):
        path = tmp_path / "costs.csv"
        with open(path, "w", newline="") as stream:
            writer = csv.DictWriter(stream, costs.COLUMNS, restval="")
            writer.writeheader()
            writer.writerows([costs._model(Grid.of("overfitting", "toy"), "holdout", "tiny", 2), *rows])
        return Costs.read(path)

    return of


@pytest.mark.parametrize(("study", "protocol", "folds"), [("overfitting", "holdout", 5), ("conditional", "kfold", 5)])
def test_a_model_is_one_fold_of_its_rows(read, study, protocol, folds):
    grid = Grid.of(study, "toy")
    row = costs._model(grid, protocol, "tiny", 3)
    rest = row["train"] + row["predicted"]
    assert row["train"] == pytest.approx((folds - 1) / folds * rest, abs=1)
    assert rest < 60  # a test part is left
    sizes = row["train"], row["predicted"], row["p"]
    measured = read([row]).seconds(grid.cfg["study"]["learner"], *sizes)
    assert measured > 0
    assert (
        read([row | {"seconds": 100 * float(row["seconds"])}]).seconds(grid.cfg["study"]["learner"], *sizes) > measured
    )


def test_suggestions_and_refits_are_found_under_their_learner(read):
    grid = Grid.of("overfitting", "toy")
    grid.cfg["scale"]["name"] = "small"  # where refits are counted
    grid.scale = "small"
    rows = list(costs._runs(grid, "holdout", "gp", 1))
    assert [row["kind"] for row in rows] == ["suggestion", "refits"]
    found, learner = read(rows), grid.cfg["study"]["learner"]
    assert found.suggesting(learner, "gp", 10) == float(rows[0]["seconds"]) > 0
    assert found.refitting(learner, "gp", 0) == float(rows[1]["seconds"]) >= 1
    assert found.unmeasured(learner, ["gp"]) == []


def test_a_selection_split_is_counted_in_refits_alone(read):
    grid = Grid.of("overfitting", "toy")
    grid.scale = "small"
    (row,) = costs._runs(grid, "holdout_sel", "gp", 1)
    assert read([row]).refitting(grid.cfg["study"]["learner"], "gp", 0.2) == float(row["seconds"])
