"""Thesis, table B.2: test error of the 14 methods on every data set, 5-fold validation."""

from bayes_hpo.report.tables.errors_by_dataset import errors_table

TITLE = "Table B.2: test error in % of all methods on all data sets, 5-fold validation"


def table(given):
    """Data sets x methods, ours above the published."""
    return errors_table(given, "kfold", "table B.2")
