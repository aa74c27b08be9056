"""Thesis, figure 5.1: conditions of a generic space and of one in which a learner is chosen."""

import re

from matplotlib.figure import Figure

from bayes_hpo.report.figures import condition_tree

TITLE = "Figure 5.1: hyperparameter spaces with conditions, a generic one and a choice of learners"
MEASURE = "condition_trees"  # what it rests on instead of scores
PANELS = {"generic": "(a) a generic space", "cash": "(b) two of the learners of table 5.1"}


def figure(given):
    """(matplotlib figure, notes): one tree above the other."""
    rows = given.measure(MEASURE)
    drawing = Figure(figsize=(7.2, 5.2), layout="constrained")
    axes = drawing.subplots(2, 1, height_ratios=[5, 3])
    for axis, (tree, title) in zip(axes, PANELS.items(), strict=True):
        condition_tree.draw(axis, rows[rows["tree"] == tree], written)
        axis.set_title(title)
    return drawing, [
        "Boxes: hyperparameters; italic: the values of the one above; what hangs from a value is active there only.",
        "Drawn from search spaces of this package. Of the print the text tells that gamma_5 needs gamma_2 = c3, "
        "which needs gamma_1 = c1; the rest is ours.",
    ]


def written(name):
    """gamma_5 as a symbol, other names as they are."""
    return re.sub(r"^gamma_(\d+)$", r"$\\gamma_{\1}$", name)
