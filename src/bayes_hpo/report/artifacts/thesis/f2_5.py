"""Thesis, figure 2.5: validation and test error of the incumbent of five searches of a random forest."""

from bayes_hpo.report.figures import incumbent

TITLE = "Figure 2.5: validation and test error of the incumbent by trial, random forest"
SHOWN = {
    "dataset": "adult",
    "validation": "kfold",
    "method": "gp",
    "repetitions": 5,
    "seen": "The document: a plateau around trial 40; after 20 validation still falls, test stays or rises.",
}


def figure(given):
    """(matplotlib figure, notes): means and standard deviations of the searches of repetitions 0 to 4."""
    return incumbent.figure(given, **SHOWN)
