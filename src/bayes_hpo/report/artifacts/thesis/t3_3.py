"""Thesis, table 3.3: wins minus losses over data sets between the 14 methods, 5-fold validation."""

from bayes_hpo.report.tables.win_loss import recomputed_table

TITLE = "Table 3.3: wins minus losses over data sets, 5-fold validation"


def table(given):
    """Methods against methods, ours above the published."""
    return recomputed_table(given, "T3_3", "kfold", "table B.2")
