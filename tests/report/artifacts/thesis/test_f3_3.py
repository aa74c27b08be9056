"""Figure 3.3 shows our errors and ranks as lines and the published ones as marks."""

import numpy as np
import pandas as pd
import pytest
from score_rows import DATASETS, PRINTED, as_printed, rows
from thesis_artifacts import function
from thesis_artifacts import row as arguments

from bayes_hpo.documents.names import method

figure, METHODS = function("F3_3"), arguments("F3_3")["methods"]
PANELS = ["holdout", "kfold"]  # left to right


def printed(validation):
    """Table B.1 or B.2: frame of our data sets x drawn methods, in percent."""
    return pd.DataFrame(PRINTED[validation]).loc[list(DATASETS.values()), METHODS]


def mirrored(validation, name, method, repetition, iteration):
    """Errors whose order of the methods is the opposite of the printed one, and other repetitions worse."""
    return 0.9 - as_printed(validation, name, method, repetition, 12) + repetition / 100


def look(line):
    return line.get_color(), line.get_marker(), line.get_markerfacecolor()


def drawn(axis):
    """(lines, marks) of an axis: dicts, method -> (x, y) and method -> published value, told by their looks."""
    lines = {method(line.get_label()): line for line in axis.lines if not line.get_label().startswith("_")}
    by_look = {look(line): name for name, line in lines.items()}
    marks = {by_look[look(line)]: line.get_ydata()[0] for line in axis.lines if line.get_linestyle() == "None"}
    return {name: (list(line.get_xdata()), line.get_ydata()) for name, line in lines.items()}, marks


def panels(made, row):
    """(validation, lines, marks) of one row of axes: 0 errors, 1 ranks."""
    both = made.axes[2 * row : 2 * row + 2]
    return [(validation, *drawn(axis)) for validation, axis in zip(PANELS, both, strict=True)]


def means(validation, row):
    """What table B says: mean error or mean rank of each drawn method over our data sets."""
    errors = printed(validation)
    return (errors if row == 0 else errors.rank(axis=1)).mean().to_dict()


@pytest.mark.parametrize("row", [0, 1])
def test_lines_of_the_published_errors_end_in_the_published_marks(row, given, printed_rows):
    made, _ = figure(given(printed_rows))
    for validation, lines, marks in panels(made, row):
        assert list(lines) == METHODS
        assert marks == pytest.approx(means(validation, row))
        for name, (x, y) in lines.items():
            worse = 5 if row == 0 else 0  # at the first step every error is five points higher
            assert x == [6, 12]
            np.testing.assert_allclose(y, [marks[name] + worse, marks[name]])


def test_marks_are_the_print_whatever_our_errors_are(given):
    made, _ = figure(given(rows(mirrored)))
    for row in (0, 1):
        for validation, lines, marks in panels(made, row):
            expected = means(validation, row)
            assert marks == pytest.approx(expected)
            for name, (_, y) in lines.items():
                ours = 90.5 - expected[name] if row == 0 else len(METHODS) + 1 - expected[name]
                np.testing.assert_allclose(y, ours)


def test_a_method_without_an_early_score_leaves_that_repetition_to_no_other(given):
    frame = rows(mirrored)
    late = (frame["method"] == "rs") & (frame["repetition"] == 1) & (frame["iteration"] == 6)
    made, notes = figure(given(frame[~late]))
    for validation, lines, _ in panels(made, 0):
        for name, (_, y) in lines.items():
            first_only = 90 - means(validation, 0)[name]
            np.testing.assert_allclose(y, [first_only, first_only + 0.5])
    assert sum("rest on as few as 1 repetition" in note for note in notes) == 2


def test_a_step_that_one_data_set_lacks_is_named_in_the_caption(given):
    frame = rows(mirrored)
    made, notes = figure(given(frame[(frame["dataset"] != "wine") | (frame["iteration"] != 6)]))
    assert all(x == [12] for _, lines, _ in panels(made, 0) for x, _ in lines.values())
    assert sum("function evaluations 6;" in note and note.endswith(" on wine.") for note in notes) == 2


def test_a_copy_beside_published_marks_is_named_in_the_caption(given, printed_rows):
    _, notes = figure(given(printed_rows, copies=("sklearn-iris",)))
    assert any(note.startswith("sklearn-iris: scikit-learn's copies") for note in notes)


def test_methods_without_scores_are_named_and_the_others_keep_their_looks(given, printed_rows):
    whole, notes = figure(given(printed_rows))
    assert not any(note.startswith("Left out") for note in notes)
    part, notes = figure(given(printed_rows[~printed_rows["method"].isin(["rs", "cma"])]))
    assert notes[-1] == "Left out, no scores: rs, cma; 4 methods are compared."
    looks = [{line.get_label(): look(line) for line in made.axes[0].lines} for made in (whole, part)]
    left = {printed_name for printed_name in looks[1] if not printed_name.startswith("_")}
    assert left == {"grid", "gp", "gp-r", "cma-r"}
    assert all(looks[0][name] == looks[1][name] for name in left)
