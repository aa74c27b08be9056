"""Thesis, table 3.2: wins minus losses over data sets between the 14 methods, hold-out validation."""

from bayes_hpo.report.tables.win_loss import recomputed_table

TITLE = "Table 3.2: wins minus losses over data sets, hold-out validation"


def table(given):
    """Methods against methods, ours above the published."""
    return recomputed_table(given, "T3_2", "holdout", "table B.1")
