"""Thesis, table 3.5: median (Q3-Q1) error, win rate and rank with selection by the posterior mean."""

from bayes_hpo import published
from bayes_hpo.report.summary import summary_table

TITLE = "Table 3.5: median (Q3-Q1) test error in %, win rate in % and rank with posterior-mean selection"
REPETITIONS = 10
PRINTED_SETS = 118


def table(given):
    """The first ten repetitions (D19) beside the print, whose errors per data set were not published."""
    methods = published.in_order(published.methods("T3_5"), given.methods)
    cells = given.cells(given.scores.query("repetition < @REPETITIONS"), methods)
    return summary_table(
        cells,
        published.summary("T3_5"),
        label="print",
        theirs_sets=dict.fromkeys(cells, PRINTED_SETS),
        notes=[
            f"print: as printed, over {PRINTED_SETS} data sets and {REPETITIONS} repetitions and not over ours, "
            "because errors per data set were not published.",
            f"Ours: the first {REPETITIONS} repetitions at most.",
        ],
    )
