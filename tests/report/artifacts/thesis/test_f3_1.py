"""Figure 3.1 draws gp's validation and test error on the data set that was named beforehand, or says which instead."""

import numpy as np
import pytest
from score_rows import rows
from thesis_artifacts import function, row

from bayes_hpo.errors import RunError

figure, DATASET = function("F3_1"), row("F3_1")["dataset"]
SIZES = {"iris": 99, "wine": 117, "ecoli": 222}


def error(validation, name, method, repetition, iteration):
    return (repetition + 1) / 10 - iteration / 1000


def gp_rows(datasets, repetitions=range(4)):
    """Rows of gp alone, whose validation error is half the test error."""
    frame = rows(error, dict.fromkeys(datasets, ""), ["gp"], repetitions)
    return frame.assign(validation_loss=frame["test_error"] / 2)


@pytest.fixture
def made(given):
    """Function: (data sets, repetitions, data sets with scores) -> (figure, notes)."""

    def of(datasets, repetitions=range(4), scored=None, sizes=SIZES):
        frame = gp_rows(scored or datasets, repetitions)
        return figure(given(frame, datasets=dict.fromkeys(datasets, ""), methods=("gp",), sizes=sizes))

    return of


def lines(drawing):
    """Line of each part; seaborn's own labels are on the legend."""
    axis = drawing.axes[0]
    return dict(zip(["test", "validation"], [line for line in axis.lines if len(line.get_xdata())], strict=True))


def test_lines_are_means_over_repetitions_and_bands_their_standard_error(made):
    drawing, _ = made(["iris", DATASET])
    test = np.array([10, 20, 30, 40])
    for part, scale in (("test", 1), ("validation", 0.5)):
        np.testing.assert_allclose(lines(drawing)[part].get_xdata(), [6, 12])
        np.testing.assert_allclose(lines(drawing)[part].get_ydata(), scale * (test.mean() - np.array([0.6, 1.2])))
    half = test.std(ddof=1) / 2  # of the mean of four
    reach = drawing.axes[0].collections[0].get_paths()[0].vertices[:, 1]
    np.testing.assert_allclose([reach.min(), reach.max()], [25 - 1.2 - half, 25 - 0.6 + half])


def test_the_named_data_set_is_drawn_whatever_its_size(made):
    drawing, notes = made(["ecoli", DATASET])
    assert drawing.axes[0].get_title() == DATASET
    assert any(note.startswith(f"{DATASET}, which was named before any result was seen") for note in notes)


def test_without_it_the_largest_data_set_stands_in_by_name(made):
    drawing, notes = made(["wine", "ecoli", "iris"])
    assert drawing.axes[0].get_title() == f"ecoli, in place of {DATASET}"
    assert "Hold-out: 1 data set, 4 repetitions." in notes
    assert any(note.startswith(f"ecoli, in place of {DATASET}") for note in notes)


def test_the_gap_is_said_at_both_ends(made):
    _, notes = made(["iris"])
    assert "Test minus validation error: 12.20 points after 6 and 11.90 after 12 function evaluations." in notes


def test_one_repetition_has_lines_without_bands(made):
    assert all(band.get_paths() for band in made(["iris"])[0].axes[0].collections)
    drawing, notes = made(["iris"], repetitions=(0,))
    assert len(lines(drawing)) == 2
    assert not any(band.get_paths() for band in drawing.axes[0].collections)
    assert "Hold-out: 1 data set, 1 repetition." in notes


def test_missing_scores_of_the_named_data_set_are_one_sentence(made):
    with pytest.raises(
        RunError, match=f"^there are no hold-out scores of gp on {DATASET}; make them with: snakemake .* toy_overf"
    ):
        made(["iris", DATASET], scored=["iris"])
