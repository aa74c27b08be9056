"""Figures 2.4 and 2.5 draw the incumbent of the first repetitions, on the published data set or on another by name."""

import numpy as np
import pytest
from score_rows import rows
from thesis_artifacts import function, row

from bayes_hpo.errors import RunError

SIZES = {"ecoli": 222, "iris": 99}
NAMES = ("F2_4", "F2_5")
TRIALS = range(1, 21)


def error(validation, name, method, repetition, iteration):
    return 0.9 if iteration == 1 else (repetition + 1) / 10 + 1 / (100 * iteration)


@pytest.fixture
def made(given):
    """Function: (artifact, data sets, their scores or those of others) -> (figure, notes)."""

    def of(name, datasets=None, scored=None, repetitions=range(7), error=error):
        shown = row(name)
        datasets = datasets or [shown["dataset"]]
        frame = rows(error, dict.fromkeys(scored or datasets, ""), ["gp"], repetitions, TRIALS, [shown["validation"]])
        frame = frame.assign(validation_loss=frame["test_error"] / 2)
        return function(name)(given(frame, dict.fromkeys(datasets, ""), methods=("gp",), sizes=SIZES))

    return of


def lines(drawing):
    """y of the line of each part."""
    return {line.get_label(): line.get_ydata() for line in drawing.axes[0].lines}


def test_one_repetition_is_drawn_in_figure_2_4_and_the_mean_of_five_in_figure_2_5(made):
    later = 1 / np.arange(2, 21)
    for name, first in (("F2_4", [10]), ("F2_5", [10, 20, 30, 40, 50])):
        drawn = lines(made(name)[0])
        np.testing.assert_allclose(drawn["test"], [90, *(np.mean(first) + later)])
        np.testing.assert_allclose(drawn["validation"], drawn["test"] / 2)


def test_lines_are_steps_because_an_incumbent_stays(made):
    assert {line.get_drawstyle() for line in made("F2_5")[0].axes[0].lines} == {"steps-post"}


def test_bands_are_one_standard_deviation_of_divisor_n(made):
    test, _ = made("F2_5")[0].axes[0].collections
    reach = test.get_paths()[0].vertices[:, 1]
    half = np.std([10, 20, 30, 40, 50])
    np.testing.assert_allclose([reach.min(), np.sort(reach)[-2]], [30 + 1 / 20 - half, 90], atol=1e-6)


def test_the_first_trial_does_not_set_the_height(made):
    bottom, top = made("F2_4")[0].axes[0].get_ylim()
    assert bottom < 5 + 1 / 40
    assert 10.5 < top < 20


@pytest.mark.parametrize(("name", "said"), [("F2_4", "hold-out, gp, 1 of 7"), ("F2_5", "5-fold, gp, 5 of 7")])
def test_the_caption_says_which_repetitions_of_how_many_and_what_the_document_sees(made, name, said):
    drawing, notes = made(name)
    dataset = row(name)["dataset"]
    assert drawing.axes[0].get_title() == dataset
    assert notes[0].startswith(f"{dataset}: {said} repetitions, the first; the document made ")
    assert notes[-1].startswith("The document: a plateau ")


def test_the_errors_are_said_at_the_first_trial_a_fifth_two_fifths_and_the_end(made):
    _, notes = made("F2_4")
    expected = (
        "45.00 and 90.00 % after 1, 5.12 and 10.25 % after 4, 5.06 and 10.12 % after 8, 5.03 and 10.05 % after 20"
    )
    assert f"Validation and test error: {expected} trials." in notes


@pytest.mark.parametrize("name", NAMES)
def test_without_the_data_set_the_largest_stands_in_by_name(made, name):
    drawing, notes = made(name, ["iris", "ecoli"])
    title = f"ecoli, in place of {row(name)['dataset']}"
    assert drawing.axes[0].get_title() == title
    assert notes[0].startswith(f"{title}: ")


@pytest.mark.parametrize("name", NAMES)
def test_missing_scores_are_one_sentence(made, name):
    dataset = row(name)["dataset"]
    with pytest.raises(
        RunError, match=rf"^there are no .* scores of gp on {dataset}; make them with: snakemake .* toy_"
    ):
        made(name, [dataset, "iris"], scored=["iris"])


def test_equal_errors_and_a_single_trial_are_drawn(made, given):
    drawing, _ = made("F2_5", error=lambda *_: 0.1)
    assert np.ptp(drawing.axes[0].get_ylim()) > 0
    frame = rows(error, {"adult": ""}, ["gp"], (0,), [1], ["kfold"])
    drawing, _ = function("F2_5")(given(frame, {"adult": ""}, methods=("gp",)))
    np.testing.assert_allclose(lines(drawing)["test"], [90])
