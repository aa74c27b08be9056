"""Thesis, table 5.2: test error of the eleven methods on every data set, and their mean ranks."""

from bayes_hpo.documents import published
from bayes_hpo.report.comparison import VALIDATION, comparison
from bayes_hpo.report.tables.ranks import rank_table

TITLE = "Table 5.2: mean test error in % of the methods of chapter 5"
WORSE = "T5.2-never-worse"  # the claim that tells how often
THEIRS = (
    "publ.: printed, mean of 10 repetitions; its lowest means and ranks recomputed on the same data sets and methods; "
    "its underlines are lost; worse: told in the text for four methods, of 24 data sets."
)


def table(given):
    """Methods x data sets in the printed order; before a campaign has made all eleven, of those that have scores."""
    found = comparison(given, VALIDATION)
    return rank_table(
        found,
        precision=published.PRECISION["thesis", "T5_2"],
        doubtful=given.doubtful,
        printed_worse=published.worse_counts(WORSE),
        theirs=THEIRS,
    )
