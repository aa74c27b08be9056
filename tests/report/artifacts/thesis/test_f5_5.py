"""Figures 5.1 to 5.5 draw what their measures hold."""

from types import SimpleNamespace

import numpy as np
import pytest
from thesis_artifacts import function

from bayes_hpo.configuration.build import build
from bayes_hpo.report.figures.condition_tree import written
from bayes_hpo.report.figures.style import house

f5_1, f5_2, f5_3, f5_4, f5_5 = (function(f"F5_{number}") for number in range(1, 6))
MEASURES = ("toy_covariances", "mondrian_draw", "condition_trees")


@pytest.fixture(scope="module")
def given(grid_of):
    """The frames of the measures of conf/measure."""
    nodes, study = grid_of().cfg["measures"], SimpleNamespace(owner="conditional")
    return SimpleNamespace(measure={name: build(nodes[name], name)(study) for name in MEASURES}.__getitem__)


@pytest.fixture
def drawn(given):
    """Function: (figure, notes) of an artifact."""

    def of(module):
        with house():
            return module(given)

    return of


def matrix(given, kernel):
    rows = given.measure("toy_covariances")
    part = rows[rows["kernel"] == kernel]
    return part.pivot(index="row", columns="column", values="value").to_numpy()


@pytest.mark.parametrize(
    ("module", "kernels"),
    [(f5_2, ["random", "imputed"]), (f5_3, ["conditional"]), (f5_5, ["mondrian", "laplace"])],
    ids=["5.2", "5.3", "5.5"],
)
def test_the_panels_are_the_matrices_on_one_scale(given, drawn, module, kernels):
    images = [axis.images[0] for axis in drawn(module)[0].axes if axis.images]
    assert len(images) == len(kernels)
    for image, kernel in zip(images, kernels, strict=True):
        np.testing.assert_array_equal(image.get_array(), matrix(given, kernel))
        assert image.get_clim() == (0, 1)


def test_lines_part_the_choices_and_names_stand_at_their_middles(given, drawn):
    rows = given.measure("toy_covariances").drop_duplicates("row")
    counts = rows.groupby("choice").size()
    axis = drawn(f5_3)[0].axes[0]
    assert sorted({line.get_ydata()[0] for line in axis.lines if line.get_ydata()[0] == line.get_ydata()[1]}) == [
        counts["a"] - 0.5,
        counts["a"] + counts["b"] - 0.5,
    ]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["a", "b", "c"]
    assert axis.get_yticks()[0] == (counts["a"] - 1) / 2


def test_the_caption_tells_the_means_within_and_between_choices(given, drawn):
    rows = given.measure("toy_covariances").query("kernel == 'imputed'")
    other = rows.drop_duplicates("row").set_index("row")["choice"]
    between = rows[(rows["choice"] == "a") & (rows["column"].map(other) == "b")]["value"].mean()
    within = rows[(rows["choice"] == "a") & (rows["column"].map(other) == "a") & (rows["row"] != rows["column"])]
    told = next(note for note in drawn(f5_2)[1] if note.startswith("Mean covariance"))
    assert f"and {within['value'].mean():.2f}, b-b" in told
    assert f"and {between:.2f}, b-c" in told


def test_the_captions_tell_the_lengths_and_partitions_of_the_measure(grid_of):
    node = grid_of().cfg["measures"]["toy_covariances"]
    changed = build({**node, "length": 0.4, "laplace_length": 0.6, "partitions": 7}, "toy_covariances")
    rows = changed(SimpleNamespace(owner="conditional"))
    with house():
        (_, exponential), (drawing, laplace) = (
            module(SimpleNamespace(measure=lambda name: rows)) for module in (f5_2, f5_5)
        )
    assert "exp(-|x - x'|²/l), l = 0.4 (printed: 0.5): neither" in exponential[1]
    assert "l = 0.6 (printed: 0.75) (the text calls it the length of figure 5.2, which is 0.4)" in laplace[1]
    assert drawing.axes[0].get_title() == "Mondrian kernel, 7 partitions"


def test_the_lengths_of_the_configuration_are_the_printed_ones(drawn):
    assert "l = 0.5 as printed: neither" in drawn(f5_2)[1][1]
    assert "l = 0.75 as printed (the text" in drawn(f5_5)[1][1]


def test_the_conditional_kernel_s_zeros_are_told(drawn):
    assert "Largest covariance between choices: 0; on the diagonal: 1." in drawn(f5_3)[1]


def test_a_point_has_a_one_for_its_cell(given, drawn):
    rows = given.measure("mondrian_draw")
    points, cells = rows[rows["kind"] == "point"], rows[rows["kind"] == "cell"]
    left, right = drawn(f5_4)[0].axes
    colours = np.asarray(right.images[0].get_array())  # (n_points, n_cells, 3), white without a feature
    ones = (colours < 1).any(axis=2)
    assert ones.shape == (len(points), len(cells))
    np.testing.assert_array_equal(ones.argmax(axis=1), points["cell"])
    np.testing.assert_array_equal(ones.sum(axis=1), 1)
    of_cells = np.array([patch.get_facecolor()[:3] for patch in left.patches])
    assert len(of_cells) == len(cells)
    np.testing.assert_allclose(colours[ones], of_cells[points["cell"]])
    assert [text.xy for text in right.texts] == list(zip(points["cell"], range(len(points)), strict=True))


def test_every_hyperparameter_of_both_trees_is_written(given, drawn):
    rows = given.measure("condition_trees")
    for axis, tree in zip(drawn(f5_1)[0].axes, ("generic", "cash"), strict=True):
        names = {written(name) for name in rows[rows["tree"] == tree]["child"]}
        assert names <= {text.get_text() for text in axis.texts}
    assert written("gamma_5") == "$\\gamma_{5}$"
    assert written("gamma") == "gamma"
