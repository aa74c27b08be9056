"""Methods can be told apart in print, without colour; the caption and the legend have room."""

from itertools import combinations

import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from bayes_hpo.report.figures import style

DRAWN = ["grid", "rs", "gp", "gp_r", "cma", "cma_r"]


def grey(colour):
    return sum(weight * part for weight, part in zip((0.299, 0.587, 0.114), to_rgb(colour), strict=True))


def test_a_reshuffled_method_is_its_family_dashed_and_open():
    looks = style.lines(DRAWN)
    for fixed, reshuffled in (("gp", "gp_r"), ("cma", "cma_r")):
        assert looks[fixed]["linestyle"] == "-" != looks[reshuffled]["linestyle"]
        assert looks[fixed]["color"] == looks[reshuffled]["color"] == looks[fixed]["markerfacecolor"]
        assert looks[reshuffled]["markerfacecolor"] == "white"


def test_families_differ_in_grey_and_in_marker():
    looks = style.lines(["grid", "rs", "gp", "cma"]).values()
    assert all(abs(grey(a["color"]) - grey(b["color"])) >= 0.17 for a, b in combinations(looks, 2))
    assert len({look["marker"] for look in looks}) == 4


def test_the_caption_makes_room_for_itself():
    with style.house():
        bare, said = Figure(figsize=(3, 2), layout="constrained"), Figure(figsize=(3, 2), layout="constrained")
        axes = [part.subplots() for part in (bare, said)]
        style.write_below(said, ["a sentence that is longer than one line of such a small figure holds"] * 8)
        for part in (bare, said):
            part.draw_without_rendering()
    heights = [axis.get_window_extent().height for axis in axes]
    assert heights[1] == pytest.approx(heights[0], abs=0.15 * said.dpi)


@pytest.mark.parametrize(("name", "n"), [("gp", 12), ("a-method-with-a-rather-long-name", 4)])
def test_a_legend_of_any_methods_fits_the_figure(name, n):
    with style.house():
        made = Figure(figsize=(7.2, 4), layout="constrained")
        axis = made.subplots()
        for position in range(n):
            axis.plot([0, 1], [position, position], label=f"{name}-{position}")
        style.legend_above(made, axis)
        made.draw_without_rendering()
    box = made.legends[0].get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= made.bbox.x1


@pytest.mark.parametrize("length", [40, 150, 250])
def test_a_line_has_some_eight_markers_and_none_above_those_of_its_neighbours(length):
    drawn = []
    for place in range(5):
        start, every = style.spaced(length, place)
        drawn.append(set(range(start, length, every)))
        assert 8 <= len(drawn[-1]) <= 10
    assert not any(one & other for one, other in combinations(drawn, 2))


def test_every_point_of_a_short_line_has_a_marker():
    assert [style.spaced(5, place) for place in range(3)] == [(0, 1)] * 3
