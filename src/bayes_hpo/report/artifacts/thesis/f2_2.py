"""Thesis, figure 2.2: the Gaussian process of figure 2.1 and its expected improvement, ours with two others below."""

import numpy as np
from matplotlib.figure import Figure

from bayes_hpo.report.artifacts.thesis import f2_1
from bayes_hpo.report.figures import model_panels, style

TITLE = "Figure 2.2: the Gaussian process of figure 2.1 and its expected improvement"
MEASURE = f2_1.MEASURE
OURS = (
    "The printed figure ends with the expected improvement; the other acquisitions of section 2.2 are ours: the "
    "probability of improvement, and the lower confidence bound, two standard deviations below the mean. Triangles: "
    "where each would try next."
)
OTHERS = {"probability": ("PI (%)", np.argmax), "bound": ("LCB (%)", np.argmin)}


def figure(given):
    """(matplotlib figure, notes): the model above, the expected improvement below, then the others of section 2.2."""
    rows = f2_1.in_percent(given.measure(MEASURE))
    drawing = Figure(figsize=(4.8, 5.4), layout="constrained")
    top, bottom, *others = drawing.subplots(4, 1, sharex=True, height_ratios=[2, 1, 1, 1])
    model_panels.draw_model(top, rows)
    model_panels.draw_improvement(bottom, rows)
    top.set(xlim=(0, 1), ylabel="error (%)")
    bottom.set_ylabel("EI (points)")
    for axis, (kind, (label, best)) in zip(others, OTHERS.items(), strict=True):
        model_panels.draw_other(axis, rows, kind, best)
        axis.set_ylabel(label)
    others[-1].set_xlabel("hyperparameter x")
    style.legend_above(drawing, top, bottom)
    return drawing, [*f2_1.notes(rows), OURS]
