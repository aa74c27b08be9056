"""Thesis, figure 2.4: validation and test error of the incumbent of one search of the width of an RBF kernel."""

from bayes_hpo.report.figures import incumbent

TITLE = "Figure 2.4: validation and test error of the incumbent by trial, width of an RBF kernel"
SHOWN = {
    "dataset": "ionosphere",
    "validation": "holdout",
    "method": "gp",
    "repetitions": 1,
    "seen": "The document: a plateau soon, and a test error that rises slightly in the last trials.",
}


def figure(given):
    """(matplotlib figure, notes): the search of repetition 0."""
    return incumbent.figure(given, **SHOWN)
