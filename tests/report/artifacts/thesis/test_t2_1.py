"""Table 2.1 sets what is searched beside what is printed."""

from types import SimpleNamespace

import pytest
from measured import frame
from thesis_artifacts import function

table = function("T2_1")


@pytest.fixture
def made(grid_of):
    """Function: the table of the study's space after `change(frame)`."""

    def of(change=lambda rows: rows, study="random_forest"):
        rows = change(frame(grid_of(study), "search_space"))
        return table(SimpleNamespace(measure={"search_space": rows}.__getitem__))

    return of


def test_the_space_that_is_searched_is_the_printed_one(made):
    cells = made().cells
    assert cells["ours"].tolist() == cells["published"].tolist()
    assert cells.loc["max_depth", "ours"] == "2 to 150, int, linear"
    assert cells.loc["criterion", "ours"] == "gini, entropy"
    assert len(cells) == 5


def test_the_file_holds_both_and_leaves_the_scale_of_the_run_its_name(made):
    values = made().values
    for column in ("type", "low_or_values", "high", "search_scale"):
        assert values[column].tolist() == values[f"{column}_published"].tolist()
    assert "scale" not in values


def test_another_bound_is_seen_in_ours_alone(made):
    cells = made(lambda rows: rows.replace({"high": {"150": "100"}})).cells
    assert cells.loc["max_depth"].tolist() == ["2 to 100, int, linear", "2 to 150, int, linear"]


def test_what_is_not_printed_has_a_dash(made):
    assert made(study="svm_width").cells.loc["tau"].tolist() == ["1e-05 to 100, real, log", "-"]
