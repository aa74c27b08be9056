"""Methods can be told apart in print, without colour."""

from itertools import combinations

from matplotlib.colors import to_rgb

from bayes_hpo.report import style

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
