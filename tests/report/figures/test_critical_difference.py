"""Bars of a critical-difference diagram join exactly the methods closer than the distance; its labels keep apart."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.critical_difference import Diagram, draw, limits

DEMSAR = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}  # JMLR 7 (2006), table 6


def diagram(seed, n_methods=14, decimals=2):
    """A Diagram of random mean ranks, with ties where there are few decimals."""
    g = np.random.default_rng(seed)
    values = g.uniform(1, n_methods, n_methods).round(decimals)
    return Diagram.of(pd.Series(values, index=[f"m{i}" for i in range(n_methods)]), g.uniform(0.2, n_methods))


def drawn(part):
    """The axis of one diagram, left in a figure for two of them."""
    made = Figure(figsize=(7.2, part.height), layout="constrained")
    axis = made.subplots(1, 2)[0]
    draw(axis, part, ends=limits([part]), height=part.height, title="title (Friedman p = 0.05)")
    return axis


def boxes(axis):
    """Boxes of all that is written, in pixels."""
    ticks = [
        label for label in axis.get_xticklabels() if axis.get_xlim()[0] <= label.get_position()[0] <= axis.get_xlim()[1]
    ]
    return [text.get_window_extent() for text in (*axis.texts, axis.title, *ticks)]


@pytest.mark.parametrize("seed", range(12))
def test_two_methods_share_a_bar_when_they_are_closer_than_the_distance(seed):
    part = diagram(seed, decimals=seed % 3)
    shared = {pair for group in part.cliques() for pair in combinations(sorted(group), 2)}
    ranks = part.ranks
    assert shared == {
        pair for pair in combinations(sorted(ranks.index), 2) if abs(np.diff(ranks[[*pair]])[0]) < part.distance
    }


@pytest.mark.parametrize("seed", range(12))
def test_no_bar_lies_in_another_and_no_two_meet_on_a_level(seed):
    part = diagram(seed)
    groups, levels = part.cliques(), part.levels()
    assert not any(set(a) <= set(b) for a in groups for b in groups if a is not b)
    for (a, level), (b, other) in combinations(zip(groups, levels, strict=True), 2):
        assert level != other or not set(a) & set(b)
    assert set(levels) == set(range(max(levels, default=-1) + 1))


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (1.12, [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]),  # Nemenyi at .10
        (1.25, [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]),  # at .05: no difference can be told
    ],
)
def test_demsar_s_example_has_his_groups(distance, expected):
    assert Diagram.of(pd.Series(DEMSAR), distance).cliques() == expected


def test_a_difference_of_the_whole_distance_separates():
    assert Diagram.of(pd.Series({"a": 1.0, "b": 2.5}), 1.5).cliques() == []


@pytest.mark.parametrize("seed", range(5))
def test_the_axis_holds_all_ranks_and_the_distance_unless_no_difference_is_as_large(seed):
    part = diagram(seed)
    low, high = limits([part, diagram(seed + 100)])
    assert 1 <= low <= part.ranks.min() <= part.ranks.max() <= high <= 14
    assert high - low >= min(part.distance, 13)
    assert limits([Diagram(part.ranks, 99.0)]) == (1, 14)


@pytest.mark.parametrize(
    "part", [diagram(0), diagram(1, decimals=0), diagram(2, n_methods=2), Diagram(diagram(3).ranks, 19.8)]
)
def test_nothing_written_overlaps(part):
    with style.house():
        axis = drawn(part)
        axis.figure.draw_without_rendering()
    for a, b in combinations(boxes(axis), 2):
        assert not a.overlaps(b)


def test_bars_are_drawn_from_the_best_to_the_worst_of_their_methods():
    part = Diagram.of(pd.Series(DEMSAR), 1.12)
    axis = drawn(part)
    bars = [line.get_xdata() for line in axis.lines if line.get_linewidth() > 2]
    assert len(bars) == 2
    for (left, right), (best, *_, worst) in zip(bars, part.cliques(), strict=True):
        inside = [name for name, rank in DEMSAR.items() if left < rank < right]
        assert sorted(inside) == sorted(part.cliques()[len(inside) < 3])
        assert left < DEMSAR[best] < DEMSAR[worst] < right


@pytest.mark.parametrize(("distance", "said"), [(2.0, "CD = 2.00"), (19.84, "CD = 19.84, longer than the axis")])
def test_the_distance_is_drawn_to_scale_or_said_to_be_longer(distance, said):
    axis = drawn(Diagram(diagram(0).ranks, distance))
    left, right = axis.lines[0].get_xdata()
    assert right - left == pytest.approx(min(distance, 13))
    assert said in [text.get_text() for text in axis.texts]


def test_every_method_is_named_with_its_rank_and_reshuffled_ones_are_dashed():
    axis = drawn(Diagram.of(pd.Series({"gp": 1.25, "gp_r": 1.75, "cma": 3.0}), 1.0))
    said = {text.get_text() for text in axis.texts}
    assert {"gp  1.25", "gp-r  1.75", "3.00  cma"} <= said
    elbows = [line for line in axis.lines if len(line.get_xdata()) == 3]
    assert [line.get_linestyle() for line in elbows] == ["-", "--", "-"]
