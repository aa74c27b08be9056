"""Losses of ensembles as functions of margins: figures 4.5 to 4.7 of the thesis."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure

from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results

LOOKS: dict[str, dict[str, Any]] = {
    "zero_one": {"label": "zero-one", "color": "#000000"},
    "margin": {"label": "margin", "color": "0.55", "linestyle": style.DASHED},
    "squared_margin": {"label": "squared margin", "color": "#00539B"},
    "sigmoid": {"label": "sigmoid, a = {slope:g}", "color": "#D55E00", "linestyle": (0, (6, 1, 1, 1))},
}
MARKERS: dict[str, dict[str, Any]] = {
    "zero_one": {"marker": "s", "markersize": 7, "markerfacecolor": "white"},
    "sigmoid": {"marker": "o"},
}
MARGIN = "margin $M$"
TITLES = {"squared_margin": "squared margin", "c_bound": "C-bound"}
LABELLED = 0.06  # disagreement at which the lines are labelled
LEVELS = np.linspace(0, 1, 21)  # levels of the shades; every second one has a line


def surfaces(results: Results, *, measure: str, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a panel per loss with contour lines, blank where no margins are possible."""
    rows = results.measure(measure)
    drawing = Figure(figsize=(7.2, 3.2), layout="constrained")
    axes = drawing.subplots(1, len(TITLES), sharey=True)
    for axis, (loss, title) in zip(axes, TITLES.items(), strict=True):
        shades = draw_surface(axis, rows[rows["loss"] == loss])
        axis.set(title=title, xlabel=r"mean margin $\mu_1$")
    axes[0].set_ylabel(r"disagreement $(1 - \mu_2) / 2$")
    drawing.colorbar(shades, ax=axes, label="loss", ticks=LEVELS[::4])
    return drawing, notes


def draw_surface(axis: Axes, rows: pd.DataFrame) -> ContourSet:
    """Draw the values of one loss (frame of mu1, disagreement and value); return the shades."""
    values = rows.pivot(index="disagreement", columns="mu1", values="value")
    place = values.columns.to_numpy(), values.index.to_numpy(), np.clip(values.to_numpy(), 0, 1)
    shades = axis.contourf(*place, levels=LEVELS, cmap="Blues")
    lines = axis.contour(*place, levels=LEVELS[2:-1:2], colors="black", linewidths=0.5)
    across = values.loc[values.index[np.abs(values.index - LABELLED).argmin()]].dropna().sort_values()
    labelled = [(float(np.interp(level, across, across.index)), LABELLED) for level in lines.levels]
    axis.clabel(lines, fontsize=6, fmt="%.1f", manual=labelled)
    edge = rows.dropna().groupby("mu1")["disagreement"].max()
    axis.plot(edge.index, edge, color="0.5", linewidth=0.8)
    axis.set(xlim=(-1, 1), ylim=(0, 0.5))
    axis.grid(visible=False)
    return shades


def smooth_zero_one(results: Results, *, measure: str, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the zero-one loss and the sigmoid, with their values for an ensemble of m members."""
    rows = results.measure(measure)
    drawing, axis = _axis()
    for loss, marker in MARKERS.items():
        look = _draw_curve(axis, rows, loss)
        points = _part(rows, loss, "possible")
        axis.plot(points["M"], points["value"], color=look["color"], clip_on=False, linestyle="none", **marker)
    style.legend_above(drawing, axis)
    return drawing, [note.format(**_settings(rows)) for note in notes]


def by_margin(results: Results, *, measure: str, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): every loss that is a function of the margin of a row."""
    rows = results.measure(measure)
    drawing, axis = _axis()
    for loss in LOOKS:
        _draw_curve(axis, rows, loss)
    style.legend_above(drawing, axis)
    return drawing, [note.format(**_settings(rows)) for note in notes]


def _axis():
    """(figure, axis) of losses by margin."""
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    axis.set(xlim=(-1, 1), ylim=(-0.03, 1.03), xlabel=MARGIN, ylabel="loss")
    return drawing, axis


def _draw_curve(axis, rows, loss):
    """Draw the curve of a loss and return its look."""
    curve = _part(rows, loss, "curve")
    look = LOOKS[loss] | {"label": LOOKS[loss]["label"].format(**_settings(rows))}
    axis.plot(curve["M"], curve["value"], **look)
    return look


def _part(rows, loss, kind):
    return rows[(rows["loss"] == loss) & (rows["kind"] == kind)]


def _settings(rows):
    """Slope and number of members (dict), the same in all rows."""
    return {name: rows[name].iloc[0] for name in ("slope", "members")}
