"""Figures 2.1 and 2.2 draw the toy's measure in percent: the model alone, and with its expected improvement."""

from types import SimpleNamespace

import numpy as np
import pytest
from measured import frame
from thesis_artifacts import function

from bayes_hpo.report.figures.style import house


@pytest.fixture(scope="module")
def rows(grid_of):
    """The frame of the measure."""
    return frame(grid_of(), "gp_toy")


@pytest.fixture(scope="module")
def drawn(rows):
    """(figure, notes) of figures 2.1 and 2.2."""
    with house():
        return [function(name)(SimpleNamespace(measure={"gp_toy": rows}.__getitem__)) for name in ("F2_1", "F2_2")]


def curves(axis):
    """Lines of an axis by the first word of their label: dict -> (n, 2) points."""
    return {line.get_label().split()[0]: np.transpose(line.get_data()) for line in axis.lines}


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(("kind", "label"), [("truth", "true"), ("mean", "posterior"), ("observation", "observations")])
def test_the_model_is_the_measure_in_percent(drawn, rows, number, kind, label):
    own = rows[rows["kind"] == kind]
    np.testing.assert_allclose(curves(drawn[number][0].axes[0])[label], own[["x", "y"]] * [1, 100])


def test_figure_2_2_has_the_improvement_and_its_maximum_below(drawn, rows):
    assert len(drawn[0][0].axes) == 1
    below = curves(drawn[1][0].axes[1])
    for kind, label in (("improvement", "expected"), ("next", "its")):
        np.testing.assert_allclose(below[label], rows.loc[rows["kind"] == kind, ["x", "y"]] * [1, 100])


@pytest.mark.parametrize(("axis", "kind", "best"), [(2, "probability", np.argmax), (3, "bound", np.argmin)])
def test_the_other_acquisitions_follow_with_the_point_that_each_prefers(drawn, rows, axis, kind, best):
    own = rows.loc[rows["kind"] == kind, ["x", "y"]].to_numpy() * [1, 100]
    curve, chosen = (np.transpose(line.get_data()) for line in drawn[1][0].axes[axis].lines)
    np.testing.assert_allclose(curve, own)
    np.testing.assert_allclose(chosen, own[[best(own[:, 1])]])


def test_the_caption_states_the_function_and_its_noise(drawn):
    for _, notes in drawn:
        assert "Forrester et al. (2008)" in notes[0]
        assert "8 observations at uniform x, with Gaussian noise of standard deviation 1.0 points" in notes[0]
