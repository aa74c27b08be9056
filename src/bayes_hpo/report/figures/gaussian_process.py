"""A Gaussian process of one hyperparameter, its acquisitions and selections: figures 2.1 to 2.3, 3.5 of the thesis."""

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results, stand_in

POSTERIOR, NEXT = "#00539B", "#D55E00"
CURVES = {
    "truth": {"label": "true function", "color": "black", "linestyle": (0, (4, 2))},
    "mean": {"label": "posterior mean, one sd", "color": POSTERIOR},
    "observation": {"label": "observations", "color": "0.35", "linestyle": "none", "marker": "o", "markersize": 3},
}
DOTTED = {"color": "0.35", "linestyle": (0, (1, 1))}
CHOSEN = {"color": NEXT, "linestyle": "none", "marker": "v", "clip_on": False}
# label, function that gives the preferred point
OTHERS: dict[str, tuple[str, Callable]] = {"probability": ("PI (%)", np.argmax), "bound": ("LCB (%)", np.argmin)}
COLUMNS = 3  # snapshots per row
ANSWERS = {
    "argmin": {"label": "argmin: observed {y:.1f} %, truly {true:.1f} %", "color": NEXT, "marker": "^"},
    "posterior_mean": {
        "label": "posterior mean: predicted {y:.1f} %, truly {true:.1f} %",
        "color": POSTERIOR,
        "marker": "s",
    },
    "minimum": {"label": "minimum of the true function: {true:.1f} %", "color": "black", "marker": "D"},
}
MARK = {"linestyle": "none", "markersize": 7, "markeredgecolor": "white", "markeredgewidth": 0.6, "zorder": 3}
AVERAGED = "averaged over slice samples of the hyperparameters; band: one standard deviation of the function."
SELECTED = (
    "that of gp-pm, averaged over hyperparameter samples; band: one standard deviation of the function. A line joins "
    "the value for which an answer was chosen to its true value."
)


def model(results: Results, *, measure: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): true function, observations and posterior."""
    rows = _in_percent(results.measure(measure))
    drawing = Figure(figsize=(4.8, 2.8), layout="constrained")
    axis = drawing.subplots()
    _draw_model(axis, rows)
    axis.set(xlim=(0, 1), xlabel="hyperparameter x", ylabel="error (%)")
    style.legend_above(drawing, axis)
    return drawing, _toy_notes(rows, ".1f", AVERAGED)


def acquisitions(results: Results, *, measure: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): model, expected improvement and other acquisitions (section 2.2), top to bottom."""
    rows = _in_percent(results.measure(measure))
    drawing = Figure(figsize=(4.8, 5.4), layout="constrained")
    top, bottom, *others = drawing.subplots(4, 1, sharex=True, height_ratios=[2, 1, 1, 1])
    _draw_model(top, rows)
    _draw_improvement(bottom, rows)
    top.set(xlim=(0, 1), ylabel="error (%)")
    bottom.set_ylabel("EI (points)")
    for axis, (kind, (label, preferred)) in zip(others, OTHERS.items(), strict=True):
        curve = rows[rows["kind"] == kind]
        axis.plot(curve["x"], curve["y"], **DOTTED)
        point = curve.iloc[preferred(curve["y"].to_numpy())]
        axis.plot(point["x"], point["y"], **CHOSEN)
        axis.set_ylabel(label)
    others[-1].set_xlabel("hyperparameter x")
    style.legend_above(drawing, top, bottom)
    return drawing, [*_toy_notes(rows, ".1f", AVERAGED), note]


def snapshots(results: Results, *, measure: str, dataset: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): for several numbers of trials, the posterior on top and expected improvement below.

    dataset: the published one. note: what the document says about the width; it follows ours.
    """
    name, title = stand_in(results, dataset)
    rows = results.measure(measure)
    rows = _in_percent(rows[rows["dataset"] == name])
    numbers = rows["trials"].unique()
    lines = -(-len(numbers) // COLUMNS)
    drawing = Figure(figsize=(7.2, 0.4 + 2.3 * lines), layout="constrained")
    axes = drawing.subplots(2 * lines, COLUMNS, sharex=True, height_ratios=[2, 1] * lines)
    tops, bottoms = axes[::2].ravel(), axes[1::2].ravel()
    heights = rows.loc[rows["kind"].isin(["lower", "upper", "observation"]), "y"]
    for top, bottom, number in zip(tops, bottoms, numbers, strict=False):
        shown = rows[rows["trials"] == number]
        _draw_model(top, shown)
        _draw_improvement(bottom, shown)
        top.set(title=f"after {number} trials", xscale="log", ylim=(heights.min() - 2, heights.max() + 2))
        bottom.set_xlabel("width \N{GREEK SMALL LETTER TAU}")
        bottom.tick_params(labelbottom=True)
    for axis in (*tops[len(numbers) :], *bottoms[len(numbers) :]):
        axis.set_visible(False)
    for line, label in zip(axes, ["error (%)", "EI (points)"] * lines, strict=True):
        line[0].set_ylabel(label)
    style.legend_above(drawing, tops[0], bottoms[0])
    last = rows[(rows["trials"] == rows["trials"].max()) & (rows["kind"] == "incumbent")]
    return drawing, [
        f"{title}: one repetition, as the document made one run.",
        f"Chosen in the end: tau = {last['x'].iloc[0]:.4g}. {note}",
    ]


def answers(results: Results, *, measure: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): selections of argmin and the posterior mean, on the whole interval and in detail."""
    rows = _in_percent(results.measure(measure))
    selected = rows.set_index("kind").loc[list(ANSWERS)]
    drawing = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes = whole, near = drawing.subplots(1, 2, width_ratios=[3, 2])
    for axis in axes:
        _draw_model(axis, rows)
        for kind, look in ANSWERS.items():  # mark at the estimated value, line to the true one
            x, y, true = selected.loc[kind, ["x", "y", "true"]]
            axis.plot([x, x], [y, true], color=look["color"], linewidth=0.8)
            axis.plot(x, y, **MARK, **{**look, "label": look["label"].format(y=y, true=true)})
        axis.set_xlabel("hyperparameter x")
    whole.set(xlim=(0, 1), ylabel="validation error (%)")
    values = selected[["y", "true"]].stack()
    near.set_xlim(max(0, selected["x"].min() - 0.1), min(1, selected["x"].max() + 0.1))
    near.set_ylim(values.min() - 2, values.max() + 2)
    whole.indicate_inset(near.viewLim.bounds, edgecolor="black", linewidth=0.8)
    drawing.legend(*whole.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return drawing, _toy_notes(rows, "g", SELECTED)


def _draw_model(axis, rows):
    """Draw curves, observations and the band of the mean. rows: frame of kind, x and y."""
    for kind, look in CURVES.items():
        curve = rows[rows["kind"] == kind]
        if len(curve):
            axis.plot(curve["x"], curve["y"], **look)
    lower, upper = (rows[rows["kind"] == kind] for kind in ("lower", "upper"))
    axis.fill_between(lower["x"], lower["y"], upper["y"], color="#D3E1EE", linewidth=0)


def _draw_improvement(axis, rows):
    """Draw expected improvement and its maximum, which is evaluated next. rows: frame of kind, x and y."""
    curve, chosen = (rows[rows["kind"] == kind] for kind in ("improvement", "next"))
    axis.plot(curve["x"], curve["y"], label="expected improvement", **DOTTED)
    axis.fill_between(curve["x"], 0, curve["y"], color="0.9", linewidth=0)
    axis.plot(chosen["x"], chosen["y"], label="its maximum: next trial", **CHOSEN)
    axis.set_ylim(0, max(1.15 * rows.loc[rows["kind"].isin(["improvement", "next"]), "y"].max(), 1e-9))


def _in_percent(rows):
    """The measure's frame with errors in percent."""
    return rows.assign(**{name: 100 * rows[name] for name in ("y", "true", "noise") if name in rows})


def _toy_notes(rows, digits, posterior):
    """Sentences on the function, its observations and the posterior. digits: format of the standard deviation."""
    return [
        "True function: 15 + (6x - 2)² sin(12x - 4) percent, that of Forrester et al. (2008) as an error. One draw of "
        f"{(rows['kind'] == 'observation').sum()} observations at uniform x, with Gaussian noise of standard deviation "
        f"{rows['noise'].iloc[0]:{digits}} points.",
        f"Posterior: {posterior}",
        "An illustration: the printed figure's function is lost (docs/decisions.md, D34).",
    ]
