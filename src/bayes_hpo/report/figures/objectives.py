"""The objective of a search for ensembles: figures 4.2, 4.4 of the thesis (1, 3 of uai2016) and figure 4 of uai2016."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayes_hpo.report.figures import incumbent, style
from bayes_hpo.report.results import Results

EARLY, PAIR = "early single", "pair"
ONE, OTHER = "#D55E00", "#00539B"
BANDS = {ONE: "#F8DFCC", OTHER: "#D3E1EE"}
SLOTS = [("#D55E00", "^"), ("#00539B", "s"), ("#CC79A7", "v"), ("#7F7F7F", "D"), ("#6A3D9A", "P"), ("#009E73", "X")]
WIDTHS = [3.2, 2.6, 2.0, 1.4, 0.8, 0.4]  # line widths: no line hides an equal one
DASH_DOT = (0, (6, 2, 1, 2))
WIDTH = "width \N{GREEK SMALL LETTER TAU}"
ERROR = "validation error (%)"
COLUMNS = 2  # repetitions per row
ROOM = 2  # points above and below the observations


def pair(results: Results, *, measure: str, dataset: str, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): errors of single models and of the pair with each of them, a panel per repetition.

    dataset: data set to draw. notes: sentences, which may contain {trials}.
    """
    rows, title = _rows(results, measure, dataset)
    rows = rows[rows["objective"].isin([EARLY, PAIR])]
    repetitions = {number + 1: part for number, part in rows.groupby("repetition")}
    lines = -(-len(repetitions) // COLUMNS)
    drawing = Figure(figsize=(7.2, 0.5 + 2.3 * lines), layout="constrained")
    axes = drawing.subplots(lines, COLUMNS, sharex=True, sharey=True, squeeze=False)
    said = []
    for axis, (number, part) in zip(axes.flat, repetitions.items(), strict=False):
        single, both = draw_pair(axis, part)
        axis.set(title=f"repetition {number}", xscale="log")
        said.append(f"{single[0]:.1f} and {both[0]:.1f} % at tau = {single[1]} and {both[1]}")
    for axis in axes.flat[len(repetitions) :]:
        axis.set_visible(False)
    _limit(axes[0, 0], rows)
    low, high = axes[0, 0].get_ylim()
    for line in axes:
        line[0].set_ylabel(ERROR)
    for axis in axes[-1]:
        axis.set_xlabel(WIDTH)
    style.legend_above(drawing, axes[0, 0])
    trials = rows["trials"].iloc[0]
    return drawing, [
        f"{title}: hold-out, the first {len(repetitions)} of the repetitions.",
        *(note.format(trials=trials) for note in notes),
        f"Lowest errors of single models and of pairs, and where their models are lowest, in order: {'; '.join(said)}.",
        f"The axes end at {low:.0f} and {high:.0f} %, beyond which models and bands may go on.",
    ]


def draw_pair(axis: Axes, rows: pd.DataFrame) -> list[tuple[float, str]]:
    """Draw one repetition; return (lowest error, optimum of the model as text) for single models and for pairs.

    An objective that is equal for all models has no optimum: "any".
    """
    single, both = (_part(rows, name) for name in (EARLY, PAIR))
    draw_objective(axis, single, ONE, marker="x", label="single models")
    draw_objective(axis, both, OTHER, marker="+", label="ensemble of two with each of the others")
    chosen = both[both["kind"] == "member"]
    ring: dict[str, Any] = {
        "linestyle": "none",
        "marker": "o",
        "markersize": 9,
        "markerfacecolor": "none",
        "color": "black",
    }
    axis.plot(chosen["x"], chosen["y"], label="the two", **ring)
    seen = [part.loc[part["kind"] == "observation", "y"] for part in (single, both)]
    optima = [f"{_optimum(part):.2g}" for part in (single, both)]
    return [(y.min(), place if y.nunique() > 1 else "any") for y, place in zip(seen, optima, strict=True)]


def slots(results: Results, *, measure: str, dataset: str, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the model of the final ensemble without each of its members, and the members."""
    rows, title = _first(results, measure, dataset)
    rows = rows[(rows["loss"] == "zero_one") & ~rows["objective"].isin([EARLY, PAIR])]
    drawing, axis = _axis(title)
    single = _part(rows, "single")
    mean = single[single["kind"] == "mean"]
    axis.plot(mean["x"], mean["y"], color="black", linestyle=style.DASHED, label="single models")
    names = [name for name in rows["objective"].unique() if name.startswith("slot")]
    for (name, (colour, marker)), width in zip(zip(names, SLOTS, strict=False), WIDTHS, strict=False):
        mean, member = (_part(rows, name, kind) for kind in ("mean", "member"))
        look: dict[str, Any] = {"color": colour, "markeredgecolor": "white", "markeredgewidth": 0.6}
        axis.plot(mean["x"], mean["y"], color=colour, linewidth=width)
        axis.plot([], [], color=colour, marker=marker, label=f"{name} emptied; its member")
        axis.plot(member["x"], member["y"], marker=marker, markersize=8, zorder=3, **look)
    error = _part(rows, "ensemble")["y"].iloc[0]
    axis.axhline(error, color="black", linestyle=DASH_DOT, label="the ensemble")
    style.legend_above(drawing, axis)
    optima = ", ".join(f"{_optimum(_part(rows, name)):.2g}" for name in names)
    least = single.loc[single["kind"] == "observation", "y"].min()
    known = {"trials": rows["trials"].iloc[0], "members": len(names), "optima": optima, "ensemble": error}
    known |= {"single": least, "single_width": _optimum(single)}
    return drawing, [f"{title}: hold-out, one repetition.", *(note.format(**known) for note in notes)]


def two_losses(results: Results, *, measure: str, dataset: str, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): zero-one loss (left axis) and squared margin (right axis) of one ensemble."""
    rows, title = _first(results, measure, dataset)
    rows = _part(rows, "slot 1")
    drawing, left = _axis(title)
    right = left.twinx()
    right.spines["right"].set_visible(True)
    right.grid(visible=False)
    best = {}
    for axis, name, label, colour, marker in (
        (left, "zero_one", "zero-one loss", OTHER, "x"),
        (right, "squared_margin", "squared margin loss", ONE, "+"),
    ):
        part = rows[(rows["loss"] == name) & (rows["kind"] != "member")]
        draw_objective(axis, part, colour, marker=marker, label=label)
        _limit(axis, part)
        axis.set_ylabel(f"{label} (%)", color=colour)
        axis.tick_params(axis="y", colors=colour)
        best[name] = _optimum(part)
    style.legend_above(drawing, left, right)
    return drawing, [f"{title}: hold-out, one repetition.", *(note.format(**best) for note in notes)]


def draw_objective(axis: Axes, rows: pd.DataFrame, colour: str, *, marker: str, label: str) -> None:
    """Draw the observations of an objective as marks, its model as a line with a band. rows: frame of kind, x and y."""
    lower, upper, mean, seen = (rows[rows["kind"] == kind] for kind in ("lower", "upper", "mean", "observation"))
    axis.fill_between(lower["x"], lower["y"], upper["y"].to_numpy(), color=BANDS[colour], alpha=0.7, linewidth=0)
    axis.plot(mean["x"], mean["y"], color=colour)
    axis.plot(seen["x"], seen["y"], linestyle="none", marker=marker, markersize=6, color=colour, label=label)


def _rows(results, measure, dataset):
    """(frame of the measure on the data set or its stand-in, with errors in percent; title)."""
    name, title = incumbent.stand_in(results, dataset)
    rows = results.measure(measure)
    rows = rows[rows["dataset"] == name]
    return rows.assign(y=100 * rows["y"]), title


def _first(results, measure, dataset):
    """`_rows` of the first repetition."""
    rows, title = _rows(results, measure, dataset)
    return rows[rows["repetition"] == 0], title


def _axis(title):
    drawing = Figure(figsize=(5.4, 3.4), layout="constrained")
    axis = drawing.subplots()
    axis.set(title=title, xscale="log", xlabel=WIDTH, ylabel=ERROR)
    return drawing, axis


def _limit(axis, rows):
    """Limit an axis to the observations and a margin; bands may extend far beyond."""
    seen = rows.loc[rows["kind"] == "observation", "y"]
    room = max(ROOM, 0.15 * (seen.max() - seen.min()))
    axis.set_ylim(seen.min() - room, seen.max() + room)


def _part(rows, objective, kind=None):
    part = rows[rows["objective"] == objective]
    return part if kind is None else part[part["kind"] == kind]


def _optimum(rows):
    """The point at which the model of an objective is lowest."""
    mean = rows[rows["kind"] == "mean"]
    return mean.loc[mean["y"].idxmin(), "x"]
