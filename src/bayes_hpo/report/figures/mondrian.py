"""A Mondrian partition of the unit square, and the features of some points: figure 5.4 of the thesis."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bayes_hpo.report.results import Results

NAMES: dict[str, Any] = {"fontsize": 6, "ha": "center", "va": "center"}
COLOURS = [to_rgb(colour) for colour in colormaps["Pastel1"](range(9))]  # colours of the cells, in turn


def figure(results: Results, *, measure: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the partition with points on the left, their features on the right."""
    rows = results.measure(measure)
    cells, points = (rows[rows["kind"] == kind].reset_index(drop=True) for kind in ("cell", "point"))
    drawing = Figure(figsize=(7.2, 3.4), layout="constrained")
    left, right = drawing.subplots(1, 2)
    draw_partition(left, cells, points)
    draw_features(right, points["cell"], len(cells))
    return drawing, [
        f"One draw: {len(cells)} cells, {len(points)} uniform points. A cell is cut at a random time, at the rate of "
        "the sum of its sides; the side is drawn by length, the place is uniform.",
        "Features: a point has a one for its cell, else zeros. Lifetime (conf/measure/mondrian_draw.yaml) and points "
        "are ours, the printed are lost.",
    ]


def draw_partition(axis: Axes, cells: pd.DataFrame, points: pd.DataFrame) -> None:
    """Draw the coloured cells and the numbered points; both are frames of the measure."""
    for cell in cells.itertuples():
        look = {"facecolor": COLOURS[cell.cell % len(COLOURS)], "edgecolor": "black", "linewidth": 0.8}
        axis.add_patch(Rectangle((cell.x, cell.y), cell.width, cell.height, **look))
    axis.plot(points["x"], points["y"], "o", color="black", markersize=9, markerfacecolor="white")
    for number, point in enumerate(points.itertuples(), start=1):
        axis.annotate(str(number), (point.x, point.y), **NAMES)
    axis.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="x", ylabel="y", title="cells and points")
    axis.grid(visible=False)


def draw_features(axis: Axes, cells: pd.Series, count: int) -> None:
    """Draw a row per point and a column per cell, with a one in the colour of the point's cell. cells: (n_points,)."""
    features = np.eye(count)[cells][..., None]  # (n_points, count, 1)
    axis.imshow(1 - features * (1 - np.resize(COLOURS, (count, 3))), aspect="equal")
    for point, cell in enumerate(cells):
        axis.annotate("1", (cell, point), **NAMES)
    axis.set_xticks(range(count), map(str, range(1, count + 1)))
    axis.set_yticks(range(len(cells)), map(str, range(1, len(cells) + 1)))
    axis.set_xticks(np.arange(count + 1) - 0.5, minor=True)
    axis.set_yticks(np.arange(len(cells) + 1) - 0.5, minor=True)
    axis.grid(visible=False)
    axis.grid(which="minor", color="0.8", linewidth=0.5)
    axis.tick_params(which="both", length=0)
    axis.set(xlabel="cell", ylabel="point", title="features")
