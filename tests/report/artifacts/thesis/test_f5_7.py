"""Figure 5.7 draws ranks of validation losses on the left and of test errors on the right, by trial."""

import chapter_5
import numpy as np
import pandas as pd
import pytest
from chapter_5 import CELLS, METHODS, STUDY, scores
from thesis_artifacts import function, row

pytestmark = pytest.mark.slow  # whole tables of 24 data sets

figure, NAMED = function("F5_7"), row("F5_7")["named"]
RANKS = CELLS.rank(axis=1).mean().rename(STUDY["labels"]).to_dict()


@pytest.fixture
def drawn(conditional):
    """Function: (figure, notes) of some scores."""
    return lambda frame, **changes: figure(conditional(frame, **changes))


def lines(axis):
    """Dict, method -> (x, y) of its line."""
    return {one.get_label(): one.get_data() for one in axis.lines if not one.get_label().startswith("_")}


def turned(frame):
    """The scores with validation losses in the opposite order of the methods."""
    return frame.assign(validation_loss=1 - frame["test_error"])


def test_ranks_are_those_of_mean_errors_and_mean_losses_at_each_trial(drawn):
    made, _ = drawn(turned(scores(noise=0.1)))
    validation, test = (lines(axis) for axis in made.axes)
    assert list(test) == list(RANKS)
    for name, rank in RANKS.items():
        np.testing.assert_allclose(test[name], [[50, 200], [rank, rank]])
        np.testing.assert_allclose(validation[name][1], 12 - rank)
    assert [axis.get_title() for axis in made.axes] == ["validation", "test"]


def test_published_ranks_are_marks_beside_the_ends_in_the_test_panel_alone(drawn):
    made, notes = drawn(turned(scores(repetitions=2)))
    marks = [[line.get_ydata()[0] for line in axis.lines if line.get_linestyle() == "None"] for axis in made.axes]
    assert marks[0] == []
    np.testing.assert_allclose(marks[1], list(RANKS.values()))
    assert notes[-1].startswith("Marks at the right: published")


def test_the_four_methods_of_the_text_stand_out(drawn):
    made, _ = drawn(scores(repetitions=1))
    widths = {line.get_label(): line.get_linewidth() for line in made.axes[0].lines}
    assert {name for name, width in widths.items() if width == max(widths.values())} == set(NAMED)
    looks = [(line.get_color(), line.get_marker()) for line in made.axes[0].lines]
    assert len(set(looks)) == 11


def test_methods_without_scores_are_named_and_the_others_keep_their_colours(drawn):
    whole, _ = drawn(scores(repetitions=1))
    part, notes = drawn(scores(methods=[name for name in METHODS if name != "smac"], repetitions=1))
    assert "Left out, no scores: SMAC; 10 methods are compared." in notes
    colours = [{line.get_label(): line.get_color() for line in made.axes[0].lines} for made in (whole, part)]
    assert all(colours[0][name] == colours[1][name] for name in ("RS", "GP-cond-ls", "GP-matern-ls"))


def test_a_trial_that_one_data_set_lacks_is_not_drawn_and_named(drawn):
    frame = scores(repetitions=1)
    made, notes = drawn(frame[(frame["dataset"] != "our-car") | (frame["iteration"] != 50)])
    assert all(list(x) == [200] for axis in made.axes for x, _ in lines(axis).values())
    assert any("function evaluations 50;" in note and note.endswith(" on car.") for note in notes)


def test_a_method_that_is_scored_at_the_end_alone_leaves_the_others_their_lines(drawn):
    mine = scores(methods=["rs"], repetitions=1, iterations=(200,)).assign(method="mine", test_error=0.001)
    made, notes = drawn(pd.concat([scores(repetitions=1), mine]), methods=("mine", *METHODS))
    assert list(lines(made.axes[1])) == list(RANKS)
    assert all(list(x) == [50, 200] for x, _ in lines(made.axes[1]).values())
    assert "Not drawn, scored at the end only: mine (name them in `curves` of the study)." in notes


def test_a_study_whose_methods_are_all_scored_at_the_end_alone_has_their_ends(drawn):
    made, notes = drawn(scores(repetitions=1, iterations=(200,)))
    ends = lines(made.axes[1])
    np.testing.assert_allclose(list(ends.values()), [[[200], [rank]] for rank in RANKS.values()])
    assert not any(note.startswith("Not drawn") for note in notes)


def without_losses(methods):
    """Scores in which some methods report no validation loss."""
    frame = turned(scores(repetitions=2))
    return frame.assign(validation_loss=frame["validation_loss"].mask(frame["method"].isin(methods)))


def test_a_method_without_validation_losses_is_drawn_in_the_test_panel_alone(drawn):
    made, notes = drawn(without_losses(["gp_cond_ls", "smac"]))
    validation, test = (lines(axis) for axis in made.axes)
    others = CELLS.drop(columns=["gp_cond_ls", "smac"])
    ranks = (10 - others.rank(axis=1).mean()).rename(STUDY["labels"])  # in the opposite order, of nine
    assert {name: y[-1] for name, (_, y) in validation.items()} == pytest.approx(ranks.to_dict())
    assert {name: y[-1] for name, (_, y) in test.items()} == pytest.approx(RANKS)
    named = {text.get_text() for text in made.legends[0].get_texts()}
    assert named == set(RANKS)
    said = "Test panel alone: SMAC, GP-cond-ls (validation losses are missing)"
    assert f"{said}; the validation panel ranks the 9 other methods." in notes


def test_the_trials_that_are_not_drawn_are_those_of_the_test_panel(drawn):
    frame = without_losses(["smac"])
    early = (frame["method"] == "smac") & (frame["dataset"] == "our-car") & (frame["iteration"] == 50)
    made, notes = drawn(frame[~early])
    validation, test = (lines(axis) for axis in made.axes)
    assert list(validation["RS"][0]) == [50, 200]
    assert list(test["RS"][0]) == [200]
    assert any("function evaluations 50;" in note and note.endswith(" on car.") for note in notes)


def test_without_any_validation_loss_the_test_panel_stands_alone(drawn):
    made, notes = drawn(without_losses(METHODS))
    assert [axis.get_title() for axis in made.axes] == ["test"]
    assert {name: y[-1] for name, (_, y) in lines(made.axes[0]).items()} == pytest.approx(RANKS)
    assert "Test panel alone: fewer than two methods have all their validation losses." in notes


def test_one_missing_validation_loss_keeps_a_method_out_of_the_validation_panel(drawn):
    frame = turned(scores(repetitions=2))
    frame.loc[frame.index[frame["method"] == "smac"][0], "validation_loss"] = np.nan
    made, notes = drawn(frame)
    validation, test = (lines(axis) for axis in made.axes)
    assert set(test) - set(validation) == {"SMAC"}
    assert any(note.startswith("Test panel alone: SMAC (validation losses are missing)") for note in notes)


def test_a_validation_panel_of_one_method_is_not_drawn(drawn):
    made, _ = drawn(without_losses([name for name in METHODS if name != "smac"]))
    assert [axis.get_title() for axis in made.axes] == ["test"]


def test_with_every_validation_loss_no_panel_stands_alone(drawn):
    _, notes = drawn(scores(repetitions=1))
    assert not any("panel alone" in note for note in notes)


def test_a_method_looks_the_same_whatever_others_are_drawn(drawn):
    whole, _ = drawn(scores(repetitions=1))
    part, _ = drawn(scores(methods=["rs", "gp_cond", "gp_laplace"], repetitions=1))
    looks = [
        {line.get_label(): (line.get_color(), line.get_marker()) for line in made.axes[0].lines}
        for made in (whole, part)
    ]
    assert looks[1].items() <= looks[0].items()


def test_data_sets_that_the_document_lacks_have_no_marks(drawn):
    frame = scores(["car"], repetitions=1).assign(dataset="mine")
    made, notes = drawn(frame, **chapter_5.unprinted("mine"))
    assert not any(line.get_linestyle() == "None" for line in made.axes[1].lines)
    assert not any("published" in note for note in notes)
