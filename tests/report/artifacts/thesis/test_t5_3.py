"""Table 5.3 gives back the printed tests from the printed errors: the same stars, the same rows in parentheses."""

import chapter_5
import numpy as np
import pandas as pd
import pytest
from chapter_5 import CELLS, METHODS, scores
from scipy import stats
from thesis_artifacts import function

from bayes_hpo.documents import published

pytestmark = pytest.mark.slow  # whole tables of 24 data sets

table = function("T5_3")
PRINTED = published.p_values("thesis", "T5_3")
ROWS = published.rows("thesis_T5_3_pvalues").set_index(["method_row", "method_col"])


@pytest.fixture
def made(conditional):
    """Function: the table of some scores."""
    return lambda frame, **changes: table(conditional(frame, **changes))


def pairs(cells, whose):
    """The text of every ordered pair: dict, (row, column) -> text."""
    part = cells.xs(whose, level=1)
    names = [label.partition(" ")[2] for label in part.index]
    square = part.set_axis(names).set_axis(names, axis=1)
    return {(row, column): square.loc[row, column] for row in names for column in names if row != column}


@pytest.mark.parametrize("whose", ["ours", "publ."])
def test_p_stars_and_parentheses_are_the_printed_ones(made, whose):
    found = pairs(made(scores(repetitions=1)).cells, whose)
    assert len(found) == 110
    for pair, text in found.items():
        p = float(text.strip("()*"))
        assert abs(p - PRINTED.loc[pair]) < 0.035  # the largest deviation is .033: cells have two decimals
        assert text.endswith("*") == (PRINTED.loc[pair] <= 0.05), pair
        if set(pair) != {"GP-cond", "GP-laplace-ls"}:  # whose printed ranks are the same
            assert text.startswith("(") == bool(ROWS.loc[pair, "row_worse_parenthesis"]), pair


def test_the_printed_p_is_in_the_file(made):
    values = made(scores(repetitions=1)).values.set_index(["method", "against"])
    assert len(values) == 110
    for pair, p in values["p_printed"].items():
        assert p == PRINTED.loc[pair]
    np.testing.assert_allclose(values["p_ours"], values["p_published"])


def test_the_exact_p_of_scipy_is_in_the_file(made):
    names = list(CELLS.index[:7])
    errors = pd.DataFrame(np.random.default_rng(0).random((7, 11)), names, list(METHODS))
    frame = scores(names, repetitions=1)
    drawn = errors.rename("our-{}".format).stack()[pd.MultiIndex.from_frame(frame[["dataset", "method"]])]
    frame = frame.assign(test_error=drawn.to_numpy())
    values = made(frame, names=names).values.set_index(["method", "against"])
    columns = errors.rename(columns=chapter_5.STUDY["labels"])
    assert len(values) == 110
    for (one, other), p in values["p_exact_ours"].items():
        assert p == pytest.approx(stats.wilcoxon(columns[one], columns[other], method="exact").pvalue)


def test_methods_of_the_same_mean_rank_stand_without_parentheses(made):
    frame = scores(["car", "pim"], methods=["rs", "smac"], repetitions=1)
    rs_is_lower = (frame["method"] == "rs") == (frame["dataset"] == "our-car")
    found = made(frame.assign(test_error=np.where(rs_is_lower, 0.1, 0.2)), names=["car", "pim"])
    assert pairs(found.cells, "ours") == {("RS", "SMAC"): "1.00", ("SMAC", "RS"): "1.00"}
    assert not found.values["ours_ranks_worse"].any()


def test_the_file_counts_the_data_sets_of_either_and_none_where_the_document_has_no_cells(made):
    both = made(scores(["car", "pim"], repetitions=1), names=["car", "pim"]).values
    assert set(both["data_sets"]) == set(both["published_data_sets"]) == {2}
    mine = scores(["car"], repetitions=1).assign(dataset="mine")
    alone = made(mine, **chapter_5.unprinted("mine")).values
    assert set(alone["data_sets"]) == {1}
    assert set(alone["published_data_sets"]) == {0}


def test_a_row_for_every_method_that_has_scores(made):
    methods = [name for name in METHODS if name != "spearmint"]
    found = made(scores(methods=methods, repetitions=1))
    assert len(found.cells) == 20
    assert "Left out, no scores: Spearmint; 10 methods are compared." in found.notes
    assert found.cells.index[0] == ("(1) RS", "ours")


def test_one_data_set_has_its_p_too(made):
    found = made(scores(["car"], repetitions=1), names=["car"])
    assert len(found.values) == 110
    assert set(pairs(found.cells, "ours")) == set(pairs(found.cells, "publ."))


def test_labels_are_those_of_the_study():
    assert set(chapter_5.STUDY["labels"].values()) == set(PRINTED)
