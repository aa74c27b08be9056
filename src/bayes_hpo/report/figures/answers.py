"""The answers of argmin and of the posterior mean to the same noisy observations: figure 3.5 of the thesis."""

from matplotlib.figure import Figure

from bayes_hpo.report.comparison import PERCENT

POSTERIOR = "#00539B"
CURVES = {
    "truth": {"label": "true function", "color": "black"},
    "mean": {"label": "posterior mean", "color": POSTERIOR, "linestyle": (0, (4, 2))},
    "observation": {"label": "observations", "color": "0.5", "linestyle": "none", "marker": "o", "markersize": 3},
}
ANSWERS = {
    "argmin": {"label": "argmin: observed {y:.1f} %, truly {true:.1f} %", "color": "#D55E00", "marker": "^"},
    "posterior_mean": {
        "label": "posterior mean: predicted {y:.1f} %, truly {true:.1f} %",
        "color": POSTERIOR,
        "marker": "s",
    },
    "minimum": {"label": "minimum of the true function: {true:.1f} %", "color": "black", "marker": "D"},
}
MARK = {"linestyle": "none", "markersize": 7, "markeredgecolor": "white", "markeredgewidth": 0.6, "zorder": 3}


def figure(results, *, measure: str):
    """(matplotlib figure, notes): curves and observations in percent, whole and around the answers."""
    rows = results.measure(measure).set_index("kind")
    rows[["y", "true", "noise"]] *= PERCENT
    drawing = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes = whole, near = drawing.subplots(1, 2, width_ratios=[3, 2])
    for axis in axes:
        draw_curves(axis, rows)
        draw_answers(axis, rows)
        axis.set_xlabel("hyperparameter x")
    whole.set(xlim=(0, 1), ylabel="validation error (%)")
    zoom(near, rows.loc[list(ANSWERS)])
    whole.indicate_inset(near.viewLim.bounds, edgecolor="black", linewidth=0.8)
    drawing.legend(*whole.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return drawing, notes(rows)


def zoom(axis, answers):
    """Show the neighbourhood of the answers."""
    values = answers[["y", "true"]].stack()
    axis.set_xlim(max(0, answers["x"].min() - 0.1), min(1, answers["x"].max() + 0.1))
    axis.set_ylim(values.min() - 2, values.max() + 2)


def draw_curves(axis, rows):
    """The true function, the observations, and the posterior mean with its band."""
    for kind, look in CURVES.items():
        axis.plot(rows.loc[kind, "x"], rows.loc[kind, "y"], **look)
    lower, upper = rows.loc["lower"], rows.loc["upper"]
    axis.fill_between(lower["x"], lower["y"], upper["y"], color="#D3E1EE", linewidth=0)


def draw_answers(axis, rows):
    """A mark at the value for which each answer was chosen, and a line from it to the true function."""
    for kind, look in ANSWERS.items():
        x, y, true = rows.loc[kind, ["x", "y", "true"]]
        axis.plot([x, x], [y, true], color=look["color"], linewidth=0.8)
        axis.plot(x, y, **MARK, **{**look, "label": look["label"].format(y=y, true=true)})


def notes(rows):
    """Sentences on the function, its observations, the posterior."""
    return [
        "True function: 15 + (6x - 2)² sin(12x - 4) percent, that of Forrester et al. (2008) as an error. One draw of "
        f"{len(rows.loc['observation'])} observations at uniform x, with Gaussian noise of standard deviation "
        f"{rows['noise'].iloc[0]:g} points.",
        "Posterior: that of gp-pm, averaged over hyperparameter samples; band: one standard deviation of the function. "
        "A line joins the value for which an answer was chosen to its true value.",
        "An illustration: the printed figure's function is lost (docs/decisions.md, D34).",
    ]
