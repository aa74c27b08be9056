"""Critical-difference diagrams: mean ranks on an axis, bars join methods that do not differ (Demsar, JMLR 7, 2006)."""

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, MultipleLocator
from matplotlib.transforms import offset_copy

from bayes_hpo.documents.names import printed
from bayes_hpo.report.figures import style

ROW = 0.145  # inches between labels
BAR = 0.07  # inches between bars
TITLE_PAD = 36  # points from the axis to the title, with room for the critical difference
ABOVE = 0.85  # inches for the title, the critical difference and the axis
SIZE = 7  # text size, points
LEFT, RIGHT = -1, 1


@dataclass(frozen=True)
class Diagram:
    """Mean ranks and their critical difference.

    ranks: series, method -> mean rank, best first.
    distance: critical difference of two mean ranks.
    """

    ranks: pd.Series
    distance: float

    @classmethod
    def of(cls, ranks: pd.Series, distance: float) -> "Diagram":
        """The diagram of mean ranks given in any order."""
        return cls(ranks.sort_values(kind="stable"), distance)

    def cliques(self) -> list[list[str]]:
        """The maximal groups of at least two methods that lie closer together than the distance: lists of names."""
        ends = np.searchsorted(self.ranks, self.ranks + self.distance)  # the first method too far behind each
        return [
            list(self.ranks.index[first:end])
            for first, end in enumerate(ends)
            if end - first > 1 and end > max(ends[:first], default=0)
        ]

    def levels(self) -> list[int]:
        """Level of the bar of each clique, 0 next to the axis, such that bars on one level do not overlap."""
        last: list[float] = []  # worst rank covered on each level so far
        levels: list[int] = []
        for group in self.cliques():
            level = next((level for level, rank in enumerate(last) if rank < self.ranks[group[0]]), len(last))
            last[level : level + 1] = [self.ranks[group[-1]]]
            levels.append(level)
        return levels

    @property
    def first_row(self) -> float:
        """Inches from the axis to the first label, which is below the bars."""
        return ROW + BAR * (1 + max(self.levels(), default=-1))

    @property
    def height(self) -> float:
        """Height of the diagram in inches."""
        return ABOVE + self.first_row + ROW * math.ceil(len(self.ranks) / 2)


def limits(diagrams: Collection[Diagram]) -> tuple[int, int]:
    """(lowest, highest) integer rank of an axis that has room for all diagrams and the longest critical difference.

    A distance that exceeds the largest possible difference of ranks gets no more room than that difference.
    """
    low = min(math.floor(part.ranks.min()) for part in diagrams)
    high = max(math.ceil(part.ranks.max()) for part in diagrams)
    worst = max(len(part.ranks) for part in diagrams)
    longest = min(max(part.distance for part in diagrams), worst - 1)
    while high - low < longest:
        low, high = max(low - 1, 1), min(high + 1, worst)
    return low, high


def draw(axis: Axes, diagram: Diagram, *, ends: tuple[int, int], height: float, title: str) -> None:
    """Draw one diagram, best on the left and half of the labels on either side; reshuffled methods are dashed and open.

    ends: `limits` of the axis. height: inches available in the figure, at least those of the diagram.
    """
    _draw_axis(axis, ends, title)
    _draw_distance(axis, diagram.distance, ends)
    margin = 0.008 * (ends[1] - ends[0])  # bars reach a little beyond their ranks
    for group, level in zip(diagram.cliques(), diagram.levels(), strict=True):
        reach = [diagram.ranks[group[0]] - margin, diagram.ranks[group[-1]] + margin]
        y = ROW / 2 + BAR * level
        axis.plot(reach, [y, y], color="black", linewidth=2.6, solid_capstyle="butt", clip_on=False)
    half = math.ceil(len(diagram.ranks) / 2)
    for side, ranks in ((LEFT, diagram.ranks.iloc[:half]), (RIGHT, diagram.ranks.iloc[half:].iloc[::-1])):
        for row, (name, rank) in enumerate(ranks.items()):
            _draw_method(axis, name, rank, diagram.first_row + row * ROW, side)
    axis.set_ylim(height - ABOVE, 0)  # inches below the axis


def _draw_axis(axis, ends, title):
    axis.grid(False)
    axis.spines[["left", "bottom"]].set_visible(False)
    axis.spines["top"].set_visible(True)
    axis.xaxis.tick_top()
    axis.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    axis.xaxis.set_minor_locator(MultipleLocator(1))
    axis.set_yticks([])
    axis.set_xlim(ends)
    axis.set_title(title, pad=TITLE_PAD)
    axis.annotate(
        "mean rank", (ends[0], 0), (-6, 0), textcoords="offset points", fontsize=SIZE, va="center", ha="right"
    )


def _draw_distance(axis, distance, ends):
    """Draw the critical difference above the axis, as an arrow if the axis is too short."""
    fits = distance <= ends[1] - ends[0]
    last = ends[0] + distance if fits else ends[1]
    place = {"transform": offset_copy(axis.get_xaxis_transform(), axis.figure, y=22, units="points"), "clip_on": False}
    axis.plot([ends[0], last], [1, 1], color="black", linewidth=1, **place)
    axis.plot(ends[0], 1, "|", color="black", **place)
    axis.plot(last, 1, "|" if fits else ">", color="black", **place)
    text = f"CD = {distance:.2f}" + ("" if fits else ", longer than the axis")
    axis.annotate(text, (ends[0], 1), (0, 3), xycoords=place["transform"], textcoords="offset points", fontsize=SIZE)


def _draw_method(axis, name, rank, y, side):
    """Draw the name and rank of a method at one end of the axis, and a line from there to its rank."""
    end = axis.get_xlim()[side == RIGHT]
    reshuffled = style.is_reshuffled(name)
    dashes = style.DASHED if reshuffled else "-"
    axis.plot([end, rank, rank], [y, y, 0], color="0.3", linestyle=dashes, linewidth=0.7, clip_on=False)
    fill = "white" if reshuffled else "black"
    axis.plot(rank, 0, "o", color="black", markerfacecolor=fill, markersize=3.5, clip_on=False, zorder=5)
    text = "  ".join([printed(name), f"{rank:.2f}"][::-side])  # the rank next to the line
    place = {"textcoords": "offset points", "va": "center", "ha": "right" if side == LEFT else "left"}
    axis.annotate(text, (end, y), (4 * side, 0), fontsize=SIZE, **place)
