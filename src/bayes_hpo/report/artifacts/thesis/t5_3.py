"""Thesis, table 5.3: Wilcoxon's signed-rank tests between the eleven methods over the data sets."""

from bayes_hpo.report.comparison import VALIDATION, comparison
from bayes_hpo.report.tables.p_values import p_value_table

TITLE = "Table 5.3: p of pairwise Wilcoxon signed-rank tests between the methods of chapter 5"
THEIRS = "publ.: recomputed on the same data sets from the cells of table 5.2 (two decimals)."


def table(given):
    """Methods against methods in the printed order, ours above the published."""
    return p_value_table(comparison(given, VALIDATION), document="thesis", table="T5_3", theirs=THEIRS)
