"""One Mondrian partition as a frame: cells that fill the square, points in the cell that they are given to."""

from types import SimpleNamespace

import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.measures.mondrian_draw import MondrianDraw
from tests.configured import configured

GRID = SimpleNamespace(owner="conditional")


@pytest.fixture
def rows(grid_of):
    """The frame of conf/measure/mondrian_draw.yaml."""
    return build(grid_of().cfg["measures"]["mondrian_draw"], "mondrian_draw")(GRID)


def test_cells_fill_the_square(rows):
    cells = rows[rows["kind"] == "cell"]
    assert (cells["width"] * cells["height"]).sum() == pytest.approx(1)
    assert list(cells["cell"]) == list(range(len(cells)))
    assert len(cells) > 1


def test_a_point_lies_in_its_cell(rows):
    cells = rows[rows["kind"] == "cell"].set_index("cell")
    points = rows[rows["kind"] == "point"]
    assert len(points) == 12
    for point in points.itertuples():
        own = cells.loc[point.cell]
        assert own["x"] <= point.x <= own["x"] + own["width"]
        assert own["y"] <= point.y <= own["y"] + own["height"]


@pytest.mark.parametrize(("points", "lifetime", "words"), [(0, 1.0, "points=0"), (5, 1e3, "lifetime=1000")])
def test_what_cannot_be_drawn_is_refused(points, lifetime, words):
    with pytest.raises(UserError, match=rf"measure\.{words} must be at least"):
        configured(MondrianDraw, "measure", points=points, lifetime=lifetime)


def test_without_a_lifetime_the_square_is_one_cell():
    assert list(MondrianDraw(points=3, lifetime=0.0)(GRID)["cell"]) == [0, 0, 0, 0]
