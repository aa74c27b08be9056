"""A diagram of ensemble optimization: figure 4.3 of the thesis, which is figure 2 of uai2016."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from bayes_hpo.report.results import Results

STEPS = [(0, 2), (1, 2), (2, 2), (2, 0), (1, 0), (0, 0)]  # places (column, row) of the six steps, in order
ENSEMBLE, POOL = (0, 1), (1, 1)
ARROWS = [  # from, to, label
    (ENSEMBLE, STEPS[0], "slot j"),
    (STEPS[0], STEPS[1], "the rest"),
    (STEPS[1], STEPS[2], "losses"),
    (STEPS[2], STEPS[3], "mean, variance"),
    (STEPS[3], STEPS[4], "configuration"),
    (STEPS[4], STEPS[5], ""),
    (STEPS[5], ENSEMBLE, "its member"),
    (POOL, STEPS[1], "models"),
    (STEPS[4], POOL, "new model"),
    (POOL, STEPS[5], "models"),
]
WIDTH, HEIGHT, STRIDE = 1.7, 0.62, 2.6  # width and height of a box, distance between columns
SLOTS, SIDE = 5, 0.24
TEXT: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
STEP, STORE = {"facecolor": "white"}, {"facecolor": "#D3E1EE"}


def figure(results: Results, *, steps: list, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the steps of a trial in a circle, with the pool and the slots that they share.

    steps: (lines of the algorithm, description) of each of the six steps.
    """
    drawing = Figure(figsize=(7.2, 3.4), layout="constrained")
    axis = drawing.subplots()
    for place, (lines, text) in zip(STEPS, steps, strict=True):
        draw_box(axis, place, f"{text}\n({lines})", STEP)
    draw_box(axis, POOL, "pool of trained models", STORE)
    draw_slots(axis, ENSEMBLE)
    for start, end, text in ARROWS:
        draw_arrow(axis, start, end, text)
    axis.set(xlim=(-1.1, 2 * STRIDE + 1.1), ylim=(-0.45, 2.45))
    axis.axis("off")
    return drawing, notes


def draw_box(axis: Axes, place: tuple[int, int], text: str, look: dict[str, Any]) -> None:
    """Draw a box with its text at a place (column, row)."""
    x, y = STRIDE * place[0], place[1]
    corner = x - WIDTH / 2, y - HEIGHT / 2
    axis.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, boxstyle="round,pad=0,rounding_size=0.08", zorder=2, **look))
    axis.text(x, y, text, zorder=3, **TEXT)


def draw_slots(axis: Axes, place: tuple[int, int]) -> None:
    """Draw the slots of the ensemble; the second is the one being optimized."""
    x, y = STRIDE * place[0] - SLOTS * SIDE / 2, place[1] - SIDE / 2
    for slot in range(SLOTS):
        look: dict[str, Any] = {"facecolor": "white", "linestyle": ":"} if slot == 1 else STORE | {"linestyle": "-"}
        axis.add_patch(Rectangle((x + slot * SIDE, y), SIDE, SIDE, edgecolor="black", zorder=2, **look))
        axis.text(x + (slot + 0.5) * SIDE, y + SIDE / 2, "j" if slot == 1 else "", zorder=3, style="italic", **TEXT)
    axis.text(x - 0.06, y + SIDE / 2, "E", zorder=3, style="italic", **(TEXT | {"ha": "right"}))


def draw_arrow(axis: Axes, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    """Draw a labelled arrow between the borders of two places."""
    (x0, y0), (x1, y1) = _border(start, end), _border(end, start)
    axis.annotate("", (x1, y1), (x0, y0), arrowprops={"arrowstyle": "-|>", "color": "0.3", "linewidth": 0.8})
    level = y0 == y1
    slanted = not level and x0 != x1
    place = ((x0 + x1) / 2, y0 + 0.05) if level else ((x0 + x1) / 2 + 0.06, (y0 + y1) / 2 - 0.08 * slanted)
    how: dict[str, Any] = {"ha": "center", "va": "bottom"} if level else {"ha": "left", "va": "center"}
    axis.text(*place, text, fontsize=6, color="0.3", style="italic", **how)


def _border(place, towards):
    """The point on the border of a place that faces another place."""
    x, y = STRIDE * place[0], place[1]
    across, up = towards[0] - place[0], towards[1] - place[1]
    half = SIDE / 2 + 0.03 if place == ENSEMBLE else HEIGHT / 2
    if up:
        return x + (WIDTH / 2 * across * 0.6), y + (half if up > 0 else -half)
    return x + (WIDTH / 2 if across > 0 else -WIDTH / 2), y
