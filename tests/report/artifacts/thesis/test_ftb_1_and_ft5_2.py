"""Ours against the printed errors: a point per data set and method, on the diagonal when they are equal."""

import chapter_5
import numpy as np
import pytest
from score_rows import DATASETS, METHODS, PRINTED, as_printed, rows
from thesis_artifacts import function

from bayes_hpo.errors import MissingResultsError

table_b1, table_5_2 = function("FTB_1"), function("FT5_2")


def points(axis):
    """(n_points, 2): printed and our errors of a panel; its first line is the diagonal."""
    return np.concatenate([np.transpose(line.get_data()) for line in axis.lines[1:]])


def drawn(figure):
    return {axis.get_title(): points(axis) for axis in figure.axes if axis.get_visible()}


def test_points_are_the_printed_errors_and_lie_on_the_line_when_ours_are_equal(given, printed_rows):
    panels = drawn(table_b1(given(printed_rows))[0])
    assert len(panels) == len(PRINTED["holdout"])
    for name, printed in PRINTED["holdout"].items():
        found = panels[name.replace("_", "-")]
        assert sorted(found[:, 0]) == pytest.approx(sorted(printed[label] for label in DATASETS.values()))
        assert found[:, 1] == pytest.approx(found[:, 0])


def test_an_error_above_the_printed_one_lies_above_the_line(given):
    panels = drawn(table_b1(given(rows(lambda *key: as_printed(*key) + 0.01, methods=["gp"])))[0])
    assert panels["gp"][:, 1] - panels["gp"][:, 0] == pytest.approx(1)


def test_each_method_stands_on_its_own_data_sets(given):
    frame = rows(as_printed, methods=["rs", "gp"], repetitions=range(3))
    less = frame[(frame["method"] == "gp") | (frame["dataset"] != "wine")]
    figure, notes = table_b1(given(less))
    assert {name: len(found) for name, found in drawn(figure).items()} == {"rs": 4, "gp": 5}
    assert notes[0] == "Hold-out: 4 of 5 data sets, 3 repetitions (rs); 5 data sets, 3 repetitions (gp)."
    assert [note for note in notes if "panels rest on different ones" in note]
    assert not [note for note in table_b1(given(frame))[1] if "panels rest on different ones" in note]


def test_without_scores_of_a_printed_method_there_is_nothing_to_compare(given):
    with pytest.raises(MissingResultsError, match="no printed method has hold-out scores"):
        table_b1(given(rows(as_printed, methods=["gp_pm"]), methods=(*METHODS, "gp_pm")))


def test_where_no_data_set_is_printed_the_figure_is_blank_and_says_so(given):
    figure, notes = table_b1(given(rows(as_printed, methods=["gp"]), datasets={"sklearn-digits": ""}))
    assert not figure.axes
    assert notes == [
        "The document prints none of the data sets of this scale, so no error stands against a printed one."
    ]


def test_doubtful_data_sets_of_chapter_5_have_marks_of_their_own(conditional):
    figure, notes = table_5_2(conditional(chapter_5.scores(["car", "1049", "46"], methods=["rs"], repetitions=2)))
    (axis,) = (axis for axis in figure.axes if axis.get_visible())
    assert [len(line.get_xdata()) for line in axis.lines[1:]] == [1, 2]
    assert any("Open marks: 46, 1049" in note for note in notes)
