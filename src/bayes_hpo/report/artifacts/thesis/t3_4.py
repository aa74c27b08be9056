"""Thesis, table 3.4: wins minus losses over data sets with selection by the posterior mean."""

from bayes_hpo.documents import published
from bayes_hpo.report.tables.first_ten import beside_print
from bayes_hpo.report.tables.win_loss import printed_pairs, win_loss_table

TITLE = "Table 3.4: wins minus losses over data sets with posterior-mean selection"
ONE_SIDED = "With 5-fold the print marks three pairs on one side only."


def table(given):
    """The first ten repetitions (D19) beside the print, whose errors per data set were not published."""
    theirs = published.net_wins("T3_4")
    pairs = {name: printed_pairs(*printed) for name, printed in theirs.items()}
    both = beside_print(given, pairs, list(theirs["holdout"][0].index))
    return win_loss_table(**both | {"notes": [*both["notes"], ONE_SIDED]})
