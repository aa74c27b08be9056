"""Figures 4.1 to 4.7, tables 4.1 and 4.2 and what of them uai2016 prints: they draw what their measures hold."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from thesis_artifacts import function

from bayes_hpo.configuration.build import build
from bayes_hpo.documents import catalog, published
from bayes_hpo.report import artifact
from bayes_hpo.report.figures.style import house

TOYS = ("toy_ensembles", "loss_curves", "loss_surfaces", "dataset_sizes")
PIMA = {"pima": SimpleNamespace(rest=506)}


def of_uai(name):
    return lambda results: artifact.find(name, "uai2016").make({"the study": results})


@pytest.fixture(scope="module")
def toys(grid_of):
    """Results with the frames of the measures that need no run."""
    nodes = grid_of("ensembles_width").cfg["measures"]
    frames = {name: build(nodes[name], name)(SimpleNamespace(owner="ensembles_width")) for name in TOYS}
    return SimpleNamespace(measure=frames.__getitem__, datasets=PIMA, sizes={"pima": 506})


def objectives():
    """A frame of the measure ensemble_objectives: losses in steps of a hundredth, models of three points."""
    rows = []

    def objective(name, loss, trials, level, member=None):
        key = {"dataset": "pima", "repetition": 0, "trials": trials, "objective": name, "loss": loss}
        for place, x in enumerate([1e-3, 1e-1, 1e1]):
            y = level + 0.01 * abs(place - 1)
            for kind, shift in (("observation", 0), ("mean", 0), ("lower", -0.01), ("upper", 0.01)):
                rows.append(key | {"kind": kind, "x": x, "y": y + shift})
        if member:
            rows.append(key | {"kind": "member", "x": member, "y": 0.3})

    objective("early single", "zero_one", 20, 0.3)
    objective("pair", "zero_one", 20, 0.25, member=1e-1)
    objective("single", "zero_one", 50, 0.29)
    for slot in (1, 2):
        objective(f"slot {slot}", "zero_one", 50, 0.2 + slot / 100, member=10.0**slot)
    objective("slot 1", "squared_margin", 50, 0.1)
    whole = {"dataset": "pima", "repetition": 0, "trials": 50, "objective": "ensemble", "loss": "zero_one"}
    rows.append(whole | {"kind": "whole", "x": np.nan, "y": 0.2})
    return pd.DataFrame(rows)


@pytest.fixture
def results():
    path = pd.DataFrame({"step": [1, 2, 1, 2], "repetition": [0, 0, 1, 1], "dataset": "pima", "trials": 50})
    path = path.assign(validation_loss=[0.2, 0.1, 0.3, 0.1], test_error=[0.3, 0.2, 0.3, 0.1])
    path = path.assign(single_loss=0.2, single_error=0.3)
    frames = {"ensemble_objectives": objectives(), "post_hoc_path": path.assign(dataset="bank")}
    rest = {"pima": 506, "bank": 2983}
    return SimpleNamespace(measure=frames.__getitem__, datasets=rest, sizes=rest)


def drawn(made, given):
    with house():
        return made(given)


def labelled(axis):
    """Label -> data (2, n) of the lines of an axis that have one."""
    return {one.get_label(): np.array(one.get_data()) for one in axis.lines if not one.get_label().startswith("_")}


def test_figure_4_1_has_means_over_repetitions(results):
    figure, notes = drawn(function("F4_1"), results)
    lines = labelled(figure.axes[0])
    np.testing.assert_allclose(lines["test, ensemble"], [[1, 2], [30, 15]])
    np.testing.assert_allclose(lines["validation, ensemble"], [[1, 2], [25, 10]])
    np.testing.assert_allclose(lines["test, best single model"][1], 30)
    assert "2 repetitions" in notes[0]
    assert "test 30.00 % of the best single model, 15.00 % of the ensemble" in notes[1]


def test_figure_4_2_shows_the_first_models_alone_and_with_the_pair(results):
    figure, notes = drawn(function("F4_2"), results)
    lines = labelled(figure.axes[0])
    np.testing.assert_allclose(lines["single models"][1], [31, 30, 31])
    np.testing.assert_allclose(lines["ensemble of two with each of the others"][1], [26, 25, 26])
    assert "30.0 and 25.0 % at tau = 0.1 and 0.1" in notes[-2]
    assert "first 20 models" in notes[1]


def test_figure_4_4_shows_a_slot_a_colour_and_the_ensemble(results):
    figure, notes = drawn(function("F4_4"), results)
    lines = labelled(figure.axes[0])
    np.testing.assert_allclose(lines["single models"][1], [30, 29, 30])
    np.testing.assert_allclose(lines["the ensemble"][1], 20)
    assert sum(label.startswith("slot") for label in lines) == 2
    members = [one.get_data() for one in figure.axes[0].lines if len(one.get_xdata()) == 1]
    assert [x[0] for x, _ in members] == [10, 100]
    assert "the ensemble 20.0 %" in notes[-1]


def test_figure_4_of_uai_has_an_axis_a_loss(results):
    left, right = drawn(of_uai("F4"), results)[0].axes
    np.testing.assert_allclose(labelled(left)["zero-one loss"][1], [22, 21, 22])
    np.testing.assert_allclose(labelled(right)["squared margin loss"][1], [11, 10, 11])


def test_figure_4_6_marks_the_eight_values_of_seven_members(toys):
    figure, notes = drawn(function("F4_6"), toys)
    marks = [one for one in figure.axes[0].lines if one.get_linestyle() == "None"]
    assert [len(one.get_xdata()) for one in marks] == [8, 8]
    assert "7 + 1 values" in notes[0]


def test_figure_4_7_has_every_loss_but_the_c_bound(toys):
    lines = labelled(drawn(function("F4_7"), toys)[0].axes[0])
    assert list(lines) == ["zero-one", "margin", "squared margin", "sigmoid, a = 10"]


def test_figure_4_5_has_two_panels(toys):
    titles = [axis.get_title() for axis in drawn(function("F4_5"), toys)[0].axes]
    assert titles[:2] == ["squared margin", "C-bound"]


def test_the_outline_names_every_line_of_the_algorithm_but_the_frame():
    steps = [lines for lines, _ in catalog.document("thesis")["artifacts"]["F4_3"]["draw"]["steps"]]
    named = set()
    for words in (lines.split() for lines in steps):
        numbers = [int(word) for word in words if word.isdigit()]
        named |= set(range(numbers[0], numbers[-1] + 1))
    assert named == set(range(3, 13))
    assert drawn(function("F4_3"), None)[0].axes


@pytest.mark.parametrize("name", ["T4_1", "T4_2"])
def test_whatever_the_print_still_has_stands_beside_ours_and_agrees(toys, name):
    cells = function(name)(toys).cells
    ours, theirs = (cells.xs(whose, level=1) for whose in ("ours", "publ."))
    legible = ~theirs.isin(["lost", "-"])
    assert (ours[legible] == theirs[legible]).sum().sum() == legible.sum().sum()
    assert ((theirs == "-") == (ours == "-")).all(axis=None)
    numbers = published.rows("thesis_T4_1_T4_2_toy_printed").query(f"table == '{name[1:].replace('_', '.')}'")
    losses = [column for column in numbers if column.startswith("ens_")]
    assert legible["ensemble"].sum().sum() == numbers[losses].notna().sum().sum()


def test_table_1_names_the_two_misprints(toys):
    table = of_uai("T1")(toys)
    marked = table.cells[table.cells.apply(lambda column: column.str.contains("*", regex=False)).any(axis=1)]
    assert list(marked.index) == ["Chess-krvk (ches)", "Thyroid (thy)"]
    assert "28,506 printed, 28,056 in the file" in table.notes[0]
    assert len(table.cells) == 18
