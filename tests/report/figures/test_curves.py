"""Curves compare methods on the same repetitions at every step, and the same data sets at all steps."""

import numpy as np
from score_rows import as_printed, printed, rows

from bayes_hpo.report import caption, comparison
from bayes_hpo.report.figures.curves import curves

TWO = {"iris": "iris", "wine": "wine"}
THREE = ["rs", "gp", "cma"]


def made(frame):
    return curves(frame, "holdout", THREE, list(TWO))


def without(frame, **where):
    """The rows but those with all of these values."""
    return frame[~np.logical_and.reduce([frame[column] == value for column, value in where.items()])]


def by_repetition(validation, name, method, repetition, iteration):
    return (repetition + 1) / 100 + iteration / 1000


def test_a_step_rests_on_the_repetitions_that_every_method_has_there():
    frame = without(rows(by_repetition, TWO, THREE), method="gp", dataset="iris", repetition=1, iteration=6)
    part = made(frame)
    np.testing.assert_allclose(part.mean.loc[6, "iris"], 1.6)
    np.testing.assert_allclose(part.mean.loc[6, "wine"], 2.1)
    np.testing.assert_allclose(part.mean.loc[12], 2.7)
    assert part.repetitions.to_dict() == {(6, "iris"): 1, (6, "wine"): 2, (12, "iris"): 2, (12, "wine"): 2}
    assert caption.steps({"holdout": part}) == [
        "Early steps (hold-out) rest on as few as 1 repetition: those with a score of every drawn method."
    ]


def test_methods_without_a_common_repetition_at_a_step_are_not_compared_there():
    frame = without(rows(by_repetition, TWO, THREE), method="gp", dataset="iris", repetition=1, iteration=6)
    part = made(without(frame, method="rs", dataset="iris", repetition=0, iteration=6))
    assert part.absent == ((6, "iris"),)


def test_a_step_that_a_data_set_lacks_is_not_drawn_and_told():
    frame = rows(by_repetition, TWO, THREE, iterations=(6, 12, 18))
    part = made(without(frame, method="gp", dataset="iris", iteration=12))
    assert list(part.mean.index) == [(6, "iris"), (6, "wine"), (18, "iris"), (18, "wine")]
    (said,) = caption.steps({"holdout": part})
    assert said.startswith("Not drawn (hold-out): function evaluations 12; ")
    assert said.endswith(" on iris.")


def test_a_step_that_a_data_set_lacks_for_every_method_is_told_too():
    part = made(without(rows(by_repetition, TWO, THREE), dataset="iris", iteration=6))
    assert part.absent == ((6, "iris"),)
    assert set(part.mean.index.get_level_values("iteration")) == {12}


def test_other_data_sets_take_no_step_away():
    frame = rows(by_repetition, {**TWO, "mine": ""}, THREE)
    part = made(without(frame, dataset="mine", iteration=6))
    assert part.absent == ()
    assert len(part.mean) == 4


def test_the_repetitions_that_are_stated_are_those_of_data_sets_whose_early_steps_have_fewer():
    frame = rows(by_repetition, {**TWO, "mine": ""}, THREE, repetitions=range(3))
    frame = frame[(frame["dataset"] != "mine") | (frame["repetition"] == 0)]  # one repetition, at every step
    part = curves(without(frame, dataset="iris", iteration=6, repetition=0), "holdout", THREE, [*TWO, "mine"])
    assert caption.steps({"holdout": part}) == [
        "Early steps (hold-out) rest on as few as 2 repetitions: those with a score of every drawn method."
    ]


def test_whole_scores_need_no_sentence():
    assert caption.steps({"holdout": made(rows(by_repetition, TWO, THREE))}) == []


def test_curves_end_in_the_cells_of_the_table():
    frame = rows(as_printed, TWO, THREE)
    table = comparison.comparison(frame, "holdout", THREE, TWO, printed(TWO), 100)
    np.testing.assert_allclose(made(frame).mean.loc[12], table.mean)
