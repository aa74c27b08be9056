"""Figure 3.5 draws the curves and answers of the measure, in percent."""

from types import SimpleNamespace

import numpy as np
import pytest
from measured import frame

from bayes_hpo.report.figures.gaussian_process import ANSWERS, answers
from bayes_hpo.report.figures.style import house


@pytest.fixture(scope="module")
def rows(grid_of):
    """The frame of the measure."""
    return frame(grid_of(), "posterior_mean_toy")


@pytest.fixture(scope="module")
def drawn(rows):
    """(axes, notes) of the figure: the whole and the neighbourhood of the answers."""
    with house():
        made, notes = answers(
            SimpleNamespace(measure={"posterior_mean_toy": rows}.__getitem__), measure="posterior_mean_toy"
        )
    return made.axes, notes


def lines(axis):
    """Labelled lines of an axis: dict, first words of the label -> (x, y)."""
    shown = [line for line in axis.lines if not line.get_label().startswith("_")]
    return {line.get_label().split(":")[0]: np.array(line.get_data()) for line in shown}


@pytest.mark.parametrize("panel", [0, 1])
@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("truth", "true function"),
        ("observation", "observations"),
        ("argmin", "argmin"),
        ("minimum", "minimum of the true function"),
    ],
)
def test_what_is_drawn_is_the_measure_in_percent(drawn, rows, panel, kind, label):
    own = rows[rows["kind"] == kind]
    np.testing.assert_allclose(lines(drawn[0][panel])[label].T, own[["x", "y"]] * [1, 100])


def test_each_answer_says_what_it_promised_and_what_it_is(drawn, rows):
    labels = [line.get_label() for line in drawn[0][0].lines]
    for kind, word in (("argmin", "observed"), ("posterior_mean", "predicted")):
        _, _, y, true, _ = rows[rows["kind"] == kind].iloc[0]
        assert any(f"{word} {100 * y:.1f} %, truly {100 * true:.1f} %" in label for label in labels)


def test_the_neighbourhood_holds_every_answer_and_its_truth(drawn, rows):
    (left, right), (bottom, top) = drawn[0][1].get_xlim(), drawn[0][1].get_ylim()
    answers = rows[rows["kind"].isin(list(ANSWERS))]
    assert answers["x"].between(left, right).all()
    assert (100 * answers[["y", "true"]]).stack().between(bottom, top).all()


def test_the_caption_states_the_function_and_its_noise(drawn):
    said = " ".join(drawn[1])
    assert "Forrester et al. (2008)" in said
    assert "40 observations at uniform x, with Gaussian noise of standard deviation 3 points" in said
