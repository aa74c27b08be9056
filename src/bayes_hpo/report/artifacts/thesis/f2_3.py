"""Thesis, figure 2.3: what the Gaussian process believed of the validation error along one search of an RBF's width."""

from matplotlib.figure import Figure

from bayes_hpo.report.cells import PERCENT
from bayes_hpo.report.figures import incumbent, model_panels, style

TITLE = "Figure 2.3: a Bayesian optimization of the width of an RBF kernel, after some numbers of trials"
MEASURE_OF_SCORES = "gp_snapshots"
DATASET = "ionosphere"
COLUMNS = 3
ZONE, CHOSEN, DEFAULT = "10^-2.5", 0.06943, 0.0303  # printed in 2.6.1


def figure(given):
    """(matplotlib figure, notes): per number of trials the posterior above and the expected improvement below."""
    name, title = incumbent.dataset_of(given, DATASET)
    rows = given.measure(MEASURE_OF_SCORES)
    rows = rows[rows["dataset"] == name].assign(y=PERCENT * rows["y"])
    numbers = rows["trials"].unique()
    lines = -(-len(numbers) // COLUMNS)
    drawing = Figure(figsize=(7.2, 0.4 + 2.3 * lines), layout="constrained")
    axes = drawing.subplots(2 * lines, COLUMNS, sharex=True, height_ratios=[2, 1] * lines)
    tops, bottoms = axes[::2].ravel(), axes[1::2].ravel()
    heights = rows.loc[rows["kind"].isin(["lower", "upper", "observation"]), "y"]
    for top, bottom, number in zip(tops, bottoms, numbers, strict=False):
        draw(top, bottom, rows[rows["trials"] == number])
        top.set(title=f"after {number} trials", ylim=(heights.min() - 2, heights.max() + 2))
    for axis in (*tops[len(numbers) :], *bottoms[len(numbers) :]):
        axis.set_visible(False)
    for line, label in zip(axes, ["error (%)", "EI (points)"] * lines, strict=True):
        line[0].set_ylabel(label)
    style.legend_above(drawing, tops[0], bottoms[0])
    return drawing, notes(rows, title)


def draw(top, bottom, rows):
    """One snapshot on two axes."""
    model_panels.draw_model(top, rows)
    model_panels.draw_improvement(bottom, rows)
    top.set_xscale("log")
    bottom.set_xlabel("width \N{GREEK SMALL LETTER TAU}")
    bottom.tick_params(labelbottom=True)


def notes(rows, title):
    """Sentences for the face."""
    last = rows[(rows["trials"] == rows["trials"].max()) & (rows["kind"] == "incumbent")]
    return [
        f"{title}: one repetition, as the document made one run.",
        f"Chosen in the end: tau = {last['x'].iloc[0]:.4g}. The document: tau = {CHOSEN}, a good zone around {ZONE} "
        f"(the two disagree), and libsvm's default 1/33 = {DEFAULT}.",
    ]
