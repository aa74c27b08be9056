"""Thesis, figure 2.2: the Gaussian process of figure 2.1 and its expected improvement."""

from matplotlib.figure import Figure

from bayes_hpo.report import model_panels, style
from bayes_hpo.report.artifacts.thesis import f2_1

TITLE = "Figure 2.2: the Gaussian process of figure 2.1 and its expected improvement"
MEASURE = f2_1.MEASURE


def figure(given):
    """(matplotlib figure, notes): the model above, the expected improvement below."""
    rows = f2_1.in_percent(given.measure(MEASURE))
    drawing = Figure(figsize=(4.8, 3.8), layout="constrained")
    top, bottom = drawing.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    model_panels.draw_model(top, rows)
    model_panels.draw_improvement(bottom, rows)
    top.set(xlim=(0, 1), ylabel="error (%)")
    bottom.set(xlabel="hyperparameter x", ylabel="EI (points)")
    style.legend_above(drawing, top, bottom)
    return drawing, f2_1.notes(rows)
