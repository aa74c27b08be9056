"""Figure of ours to thesis table 3.1: critical-difference diagrams of the 14 methods' mean ranks (Demsar 2006)."""

from bayes_hpo.documents import published
from bayes_hpo.report import face
from bayes_hpo.report.figures import panels
from bayes_hpo.report.figures.rank_diagrams import READING, draw_diagrams, of_two_methods

TITLE = "Figure to table 3.1: mean ranks and critical differences (CD) of Nemenyi's test at .05"


def figure(given):
    """(matplotlib figure, notes): a column per validation, ours above the published of the same data sets."""
    methods = published.in_order(published.methods("T3_1"), given.methods)
    cells = {name: part.as_published() for name, part in given.cells(given.scores, methods).items()}
    errors = of_two_methods(panels.both(cells), given)
    said = f"{READING}; dashed and open: reshuffled."
    return draw_diagrams(errors), [
        *face.coverage(cells),
        *face.copies(cells, given.copies),
        said,
        *panels.notes(errors),
    ]
