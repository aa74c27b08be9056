"""The printed numbers are whole, under our names, and as they were handed over."""

from pathlib import Path

import pandas as pd
import pytest

from bayes_hpo import names, published
from bayes_hpo.errors import Fault

DOCUMENTS = {"thesis", "uai2016", "esmbo_uai", "esmbo_arxiv", "divbo2022"}
HANDED_OVER = Path(__file__).parents[3] / "shared" / "published"


@pytest.mark.parametrize("validation", ["holdout", "kfold"])
def test_every_cell_of_tables_b_1_and_b_2_is_there(validation):
    for cells in published.errors(validation):
        assert cells.shape == (118, 14)
        assert cells.notna().all(axis=None)


def test_cells_are_found_by_printed_name_method_and_validation():
    mean, sd = published.errors("holdout")
    assert (mean.loc["iris", "rs"], sd.loc["iris", "rs"]) == (5.8, 6.3)
    assert published.errors("kfold")[0].loc["iris", "rs"] == 3.9


def test_summaries_are_found_by_validation_method_and_metric():
    assert published.summary("T3_1")["kfold"].loc["cma_pv_r"].to_dict() == {
        "median": 15.53,
        "iqr": 25.91,
        "win_rate": 43.07,
        "rank": 8.47,
    }
    assert published.summary("T3_5")["holdout"].loc["gp_pm_r", "rank"] == 2.64


def test_methods_stand_in_the_printed_order():
    ranks = published.summary("T3_1")["kfold"]["rank"]
    assert ranks.is_monotonic_decreasing
    assert published.methods("T3_5") == ["grid", "rs", "gp", "gp_pm", "gp_r", "gp_pm_r"]


def test_a_method_that_nobody_printed_stands_below_the_printed_ones():
    printed = published.methods("T3_5")
    assert published.in_order(printed, ["mine", "gp", "cma", "grid"]) == ["grid", "gp", "mine"]


def test_printed_and_own_names_of_methods_are_one_to_one():
    for method in published.methods("T3_1") + published.methods("T3_5"):
        assert names.method(names.printed(method)) == method


@pytest.mark.parametrize("path", sorted(published.FOLDER.glob("*.csv")), ids=lambda path: path.name)
def test_documents_have_our_names(path):
    frame = pd.read_csv(path)
    assert set(frame.get("document", [])) <= DOCUMENTS


@pytest.mark.parametrize("path", sorted(published.FOLDER.glob("*.csv")), ids=lambda path: path.name)
def test_numbers_are_those_that_were_handed_over(path):
    source = HANDED_OVER / path.name
    if not source.exists():
        pytest.skip("the folder with the original files is not beside this checkout")
    expected = pd.read_csv(source).replace({"document": {"DivBO": "divbo2022"}})
    pd.testing.assert_frame_equal(pd.read_csv(path), expected)


def test_a_missing_file_says_how_to_get_it_back():
    with pytest.raises(Fault, match=r"thesis_T9_9\.csv cannot be read .* git checkout -- published"):
        published.rows("thesis_T9_9")
