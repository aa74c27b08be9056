"""Thesis, table B.1: test error of the 14 methods on every data set, hold-out validation."""

from bayes_hpo.report.tables.errors_by_dataset import errors_table

TITLE = "Table B.1: test error in % of all methods on all data sets, hold-out validation"


def table(given):
    """Data sets x methods, ours above the published."""
    return errors_table(given, "holdout", "table B.1")
