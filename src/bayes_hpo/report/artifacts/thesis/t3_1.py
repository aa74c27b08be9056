"""Thesis, table 3.1: median (Q3-Q1) error, win rate and rank of the 14 methods at the end of their searches."""

from bayes_hpo.documents import published
from bayes_hpo.report import face
from bayes_hpo.report.tables.summary import recomputed, summary_table

TITLE = "Table 3.1: median (Q3-Q1) test error in %, win rate in % and rank at the final iteration"


def table(given):
    """Methods in the printed order (by 5-fold rank); published: recomputed from B.1 and B.2 on the same data sets.

    Before a campaign has made all 14 it is a table of those that have scores, ranks of the published errors too.
    """
    every = published.in_order(published.methods("T3_1"), given.methods)
    methods = given.scored(every)
    cells = {name: part.as_published() for name, part in given.cells(given.scores, methods).items()}
    return summary_table(
        cells,
        {name: recomputed(part) for name, part in cells.items()},
        label="publ.",
        theirs_sets={name: part.published_mean.notna().any(axis=1).sum() for name, part in cells.items()},
        notes=[
            *face.copies(cells, given.copies),
            *given.absent(every, methods),
            "publ.: recomputed on the same data sets from the cells of tables B.1 and B.2 (one decimal).",
        ],
    )
