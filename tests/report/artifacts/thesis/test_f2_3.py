"""Figure 2.3 draws each snapshot of the measure: the model above, the improvement and the next trial below."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from thesis_artifacts import function

from bayes_hpo.report.figures.style import house

figure = function("F2_3")
WIDTHS = np.logspace(-5, 2, 8)
CURVES = {"mean": 0.2, "lower": 0.1, "upper": 0.3, "improvement": 0.01}


def snapshot(trials, dataset="ionosphere"):
    """A frame as the measure makes it; the loss of trial t is (t + 1) / 100, that of the fourth .005."""
    losses = [0.005 if t == 3 else (t + 1) / 100 for t in range(trials)]
    seen = [("observation", WIDTHS[t], losses[t]) for t in range(trials)]
    best = int(np.argmin(losses))
    rows = [(kind, x, y * trials) for kind, y in CURVES.items() for x in WIDTHS]
    rows += [*seen, ("incumbent", WIDTHS[best], losses[best]), ("next", 0.3, 0.02 * trials)]
    return pd.DataFrame(rows, columns=["kind", "x", "y"]).assign(dataset=dataset, trials=trials)


@pytest.fixture
def made():
    """Function: (numbers of trials, data sets of the suite) -> (figure, notes)."""

    def of(numbers=(2, 4, 5, 8), datasets=("ionosphere",)):
        rows = pd.concat([snapshot(trials, name) for name in datasets for trials in numbers])
        given = {
            "measure": {"gp_snapshots": rows}.__getitem__,
            "datasets": dict.fromkeys(datasets, SimpleNamespace(n=9)),
        }
        with house():
            return figure(SimpleNamespace(**given))

    return of


def visible(drawing):
    """Pairs (above, below) of the axes that are seen, in reading order."""
    rows = np.reshape(drawing.axes, (-1, 2, 3))
    return [pair for line in rows for pair in zip(*line, strict=True) if pair[0].get_visible()]


def points(axis, label):
    """The points of a line by the first word of its label."""
    return next(line.get_xydata() for line in axis.lines if line.get_label().startswith(label))


@pytest.mark.parametrize("numbers", [(2,), (2, 4, 8), (2, 4, 5, 8), (2, 3, 4, 5, 6, 8)])
def test_every_number_of_trials_has_its_two_panels(made, numbers):
    drawing, _ = made(numbers)
    assert [above.get_title() for above, _ in visible(drawing)] == [f"after {number} trials" for number in numbers]


def test_a_panel_draws_its_snapshot_in_percent(made):
    for (above, below), trials in zip(visible(made()[0]), (2, 4, 5, 8), strict=True):
        rows = snapshot(trials).set_index("kind")
        np.testing.assert_allclose(points(above, "observations"), rows.loc["observation", ["x", "y"]] * [1, 100])
        np.testing.assert_allclose(points(above, "posterior"), rows.loc["mean", ["x", "y"]] * [1, 100])
        np.testing.assert_allclose(points(below, "expected"), rows.loc["improvement", ["x", "y"]] * [1, 100])
        np.testing.assert_allclose(points(below, "its maximum"), [[0.3, 2 * trials]])
        assert above.get_xscale() == below.get_xscale() == "log"


def test_the_models_are_compared_on_one_scale(made):
    assert len({above.get_ylim() for above, _ in visible(made()[0])}) == 1


def test_the_width_chosen_in_the_end_stands_beside_the_printed_ones(made):
    _, notes = made()
    assert f"tau = {WIDTHS[3]:.4g}. The document: tau = 0.06943, a good zone around 10^-2.5" in notes[1]
    assert "1/33 = 0.0303" in notes[1]


def test_a_stand_in_is_named_and_drawn(made):
    drawing, notes = made((2,), datasets=("sklearn-breast-cancer",))
    assert notes[0].startswith("sklearn-breast-cancer, in place of ionosphere: one repetition")
    assert len(visible(drawing)) == 1
