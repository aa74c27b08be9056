"""Thesis, table 3.5: median (Q3-Q1) error, win rate and rank with selection by the posterior mean."""

from bayes_hpo.documents import published
from bayes_hpo.report.tables.first_ten import beside_print
from bayes_hpo.report.tables.summary import summary_table

TITLE = "Table 3.5: median (Q3-Q1) test error in %, win rate in % and rank with posterior-mean selection"


def table(given):
    """The first ten repetitions (D19) beside the print, whose errors per data set were not published."""
    return summary_table(**beside_print(given, published.summary("T3_5"), published.methods("T3_5")))
