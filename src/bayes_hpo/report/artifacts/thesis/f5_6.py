"""Thesis, figure 5.6: critical-difference diagram of the eleven methods' mean ranks (Demsar 2006)."""

from bayes_hpo.report.comparison import VALIDATION, comparison
from bayes_hpo.report.figures.rank_diagrams import READING, draw_diagrams, of_two_methods

TITLE = "Figure 5.6: mean ranks and critical difference (CD) of Nemenyi's test at .05, methods of chapter 5"
THEIRS = "published: recomputed on the same data sets from the cells of table 5.2 (two decimals)."


def figure(given):
    """(matplotlib figure, notes): ours above the published of the same data sets and methods."""
    found = comparison(given, VALIDATION)
    errors = {("ours", VALIDATION): found.mean, ("published", VALIDATION): found.published}
    theirs = [THEIRS] if found.published.shape[1] > 1 else []
    return draw_diagrams(of_two_methods(errors, given)), [*found.notes, f"{READING}.", *theirs]
