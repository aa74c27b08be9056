"""Table 5.2 gives back the printed errors and ranks, tells the best and what is worse, and goes without some."""

from dataclasses import replace

import chapter_5
import numpy as np
import pandas as pd
import pytest
from chapter_5 import CELLS, METHODS, scores
from scipy import stats
from thesis_artifacts import function

from bayes_hpo.documents import published

pytestmark = pytest.mark.slow  # a signed-rank test per cell, in every test

table = function("T5_2")
PRINTED_RANKS = published.mean_errors("thesis", "T5_2")[1]


@pytest.fixture
def made(conditional):
    """Function: the table of some scores, all printed ones by default."""
    return lambda frame=None, **changes: table(conditional(scores(noise=0.1) if frame is None else frame, **changes))


def test_rows_and_columns_are_the_printed_ones_in_their_order(made):
    cells = made().cells
    assert list(cells.index) == [(method, whose) for method in PRINTED_RANKS.index for whose in ("ours", "publ.")]
    assert list(cells.columns) == [*CELLS.index, "rank", "rank'", "worse"]
    assert list(CELLS.index[:7]) == ["46", "184", "389", "772", "917", "1049", "adlt"]


def test_errors_like_the_printed_ones_stand_as_they_are_printed_and_rank_as_they_are_printed(made):
    cells = made().cells
    ours, theirs = (cells.xs(whose, level=1) for whose in ("ours", "publ."))
    for part in (ours, theirs):
        digits = part[CELLS.index].map(lambda text: float(text.strip("[]*")))
        np.testing.assert_array_equal(digits, CELLS.T)
        rank = part["rank"].astype(float)
        assert (rank - PRINTED_RANKS[rank.index]).abs().max() < 0.0651  # rounding of cells and of the mean
    assert ours.loc["GP-cond-ls", "rank"] == "2.50"


def test_the_lowest_of_a_column_is_told_and_ties_are(made):
    text = made().cells.xs("publ.", level=1)[CELLS.index]
    told = text.map(lambda one: one.startswith("["))
    np.testing.assert_array_equal(told, (CELLS.min(axis=1) == CELLS.T))
    first = CELLS.idxmin(axis=1).value_counts()  # protocol: lowest per column, first on ties, in the printed order
    counted = {"gp_cond_ls": 7, "gp_matern_ls": 5, "smac": 3, "gp_laplace_ls": 3, "gp_matern": 2, "gp_cond": 2}
    assert first.to_dict() == counted | {"cma_cash": 1, "gp_laplace": 1}


def test_of_two_that_are_printed_alike_the_lower_is_told_alone(made):
    frame = scores(["car"], repetitions=1)
    frame.loc[frame["method"] == "rs", "test_error"] = 0.00012
    frame.loc[frame["method"] == "smac", "test_error"] = 0.00011
    text = made(frame, names=["car"]).cells.xs("ours", level=1)["car"]
    assert text[text.str.contains("0.01", regex=False)].to_dict() == {"RS": "0.01", "SMAC": "[0.01]"}


def test_a_star_is_what_scipy_calls_worse_than_the_best(made):
    frame = scores(noise=0.1)
    cells = made(frame).cells.xs("ours", level=1)
    runs = frame[frame["final"]].pivot(index=["dataset", "repetition"], columns="method", values="test_error")
    count = 0
    for method, label in chapter_5.STUDY["labels"].items():
        for name in CELLS.index:
            errors = runs.loc[f"our-{name}"]
            gap = (errors[method] - errors[CELLS.loc[name].idxmin()]).round(12)
            p = stats.wilcoxon(gap, method="asymptotic", correction=False).pvalue if gap.any() else 1
            assert cells.loc[label, name].endswith("*") == (p < 0.05), (method, name)
            count += p < 0.05
    assert cells["worse"].astype(int).sum() == count > 50


def test_two_repetitions_show_nothing_significant(made):
    assert set(made(scores(repetitions=2, noise=0.1)).cells.xs("ours", level=1)["worse"]) == {"0"}


def test_the_second_rank_leaves_the_flagged_data_sets_out(made):
    cells = made().cells.xs("ours", level=1)
    sure = CELLS.drop(index=["46", "184", "917", "1049", "s-sh"]).rank(axis=1).mean()
    for method, label in chapter_5.STUDY["labels"].items():
        assert float(cells.loc[label, "rank'"]) == pytest.approx(sure[method], abs=0.005)


def test_there_is_no_second_rank_when_no_data_set_is_in_doubt(made):
    found = made(printed=replace(chapter_5.fields()["printed"], flagged=()))
    assert list(found.cells.columns) == [*CELLS.index, "rank", "worse"]
    assert (found.values["metric"] == "avg_rank").sum() == 11
    assert not any("in doubt" in note for note in found.notes)


def test_what_the_text_says_of_four_methods_is_beside_ours(made):
    worse = made().cells.xs("publ.", level=1)["worse"]
    assert worse[worse != "-"].to_dict() == {"Spearmint": "14", "SMAC": "10", "GP-matern-ls": "1", "GP-cond-ls": "0"}


def test_the_file_has_every_error_and_both_mean_ranks(made):
    values = made().values
    errors = values[values["metric"] == "test_error_pct"].pivot(index="dataset", columns="method", values="ours")
    np.testing.assert_allclose(errors.loc[CELLS.index, list(PRINTED_RANKS.index)], CELLS)
    ranks = values[values["metric"] == "avg_rank"]
    assert len(values) == 24 * 11 + 2 * 11
    np.testing.assert_allclose(ranks["ours"], ranks["published"])


def test_the_file_has_the_sd_over_repetitions_of_every_cell(made):
    frame = scores(["car", "pim"], repetitions=4, noise=0.1)
    values = made(frame, names=["car", "pim"]).values.query("metric == 'test_error_pct'")
    errors = frame[frame["final"]].groupby(["dataset", "method"])["test_error"]
    expected = errors.apply(lambda part: 100 * np.std(part)).unstack()[list(METHODS)]
    found = values.pivot(index="dataset", columns="method", values="ours_sd")
    np.testing.assert_allclose(found[list(PRINTED_RANKS.index)], expected)


def test_the_file_has_the_exact_p_of_scipy_against_the_best(made):
    names = ["car", "pim"]
    frame = scores(names, repetitions=8, noise=0.1)
    values = made(frame, names=names).values.set_index(["dataset", "method"])
    runs = frame[frame["final"]].pivot(index=["dataset", "repetition"], columns="method", values="test_error")
    for name in names:
        best = CELLS.loc[name].idxmin()
        for method, label in chapter_5.STUDY["labels"].items():
            gap = runs.loc[f"our-{name}", method] - runs.loc[f"our-{name}", best]
            p = 1 if method == best else stats.wilcoxon(gap, method="exact").pvalue
            assert values.loc[(name, label), "p_exact"] == pytest.approx(p), (name, method)


def test_z_is_the_difference_over_the_standard_error_of_ten_repetitions_of_both(made):
    frame = scores(["car", "pim"], repetitions=10, noise=0.1)
    frame["test_error"] += 0.01  # one point above the print, whatever the deviation
    values = made(frame, names=["car", "pim"]).values.query("metric == 'test_error_pct'")
    se = values["ours_sd"] / np.sqrt(9)
    np.testing.assert_allclose(values["z"], 1 / np.sqrt(2 * se**2 + 0.01**2 / 12), rtol=1e-9)


def test_of_one_repetition_there_is_no_z(made):
    assert made(scores(["car"], repetitions=1), names=["car"]).values["z"].isna().all()


def test_a_repetition_that_one_method_lacks_counts_for_none(made):
    names = ["car", "pim"]
    frame = scores(names, repetitions=8, noise=0.1)
    last = (frame["dataset"] == "our-car") & (frame["repetition"] == 7)
    found, expected = (made(part, names=names) for part in (frame[~(last & (frame["method"] == "smac"))], frame[~last]))
    pd.testing.assert_frame_equal(found.cells, expected.cells)
    pd.testing.assert_frame_equal(found.values, expected.values)
    assert "5-fold: 2 data sets, 7 to 8 repetitions." in found.notes


def test_copies_of_the_printed_data_sets_are_named(made):
    notes = made(scores(["car", "pim"], repetitions=1), names=["car", "pim"], copies=("our-pim", "our-46")).notes
    assert [note.partition(":")[0] for note in notes if "scikit-learn's copies" in note] == ["our-pim"]


def test_before_all_are_made_it_is_a_table_of_the_methods_that_have_scores(made):
    methods = [name for name in METHODS if name not in ("smac", "gp_cond")]
    found = made(scores(methods=methods, repetitions=2))
    assert "Left out, no scores: SMAC, GP-cond; 9 methods are compared." in found.notes
    ranks = found.cells.xs("publ.", level=1)["rank"].astype(float)
    np.testing.assert_allclose(ranks, CELLS[methods].rank(axis=1).mean(), atol=0.005)


def test_a_method_with_few_data_sets_takes_none_from_the_others(made):
    six = METHODS[:6]
    frame = pd.concat([scores(methods=six, repetitions=1), scores(["car"], methods=["gp_laplace"], repetitions=1)])
    found = made(frame)
    assert list(found.cells.columns[:24]) == list(CELLS.index)
    assert len(found.cells) == 12
    told = "Left out, no scores: GP-cond, GP-matern-ls, GP-cond-ls, GP-laplace-ls. "
    few = "Left out, too few data sets in common with the others: GP-laplace; 6 methods are compared."
    assert told + few in found.notes


def test_data_sets_without_scores_are_named_and_theirs_are_left_out_too(made):
    found = made(scores(["car", "pim"], repetitions=2), names=["46", "car", "pim"])
    assert list(found.cells.columns[:2]) == ["car", "pim"]
    assert any(note.startswith("Left out (5-fold): 46; ") for note in found.notes)
    assert len(found.cells) == 22


def test_data_sets_that_the_document_lacks_stand_alone(conditional):
    frame = scores(["car"], repetitions=2).assign(dataset="mine")
    given = conditional(frame, **chapter_5.unprinted("mine"))
    found = table(given)
    assert set(found.cells.index.get_level_values(1)) == {"ours"}
    assert list(found.cells.columns[:1]) == ["mine"]
    assert isinstance(found.values, pd.DataFrame)
