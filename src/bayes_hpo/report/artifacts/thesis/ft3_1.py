"""Figure of ours to thesis table 3.1: critical-difference diagrams of the 14 methods' mean ranks (Demsar 2006)."""

from matplotlib.figure import Figure

from bayes_hpo import published
from bayes_hpo.errors import Fault
from bayes_hpo.names import VALIDATIONS
from bayes_hpo.report import face, panels
from bayes_hpo.report.critical_difference import Diagram, draw, limits
from bayes_hpo.stats.friedman import critical_difference, friedman
from bayes_hpo.stats.ranks import ranks

TITLE = "Figure to table 3.1: mean ranks and critical differences (CD) of Nemenyi's test at .05"
READING = "Best on the left; bars join methods whose mean ranks differ by less than CD; dashed and open: reshuffled."


def figure(given):
    """(matplotlib figure, notes): a column per validation, ours above the published of the same data sets."""
    methods = published.in_order(published.methods("T3_1"), given.methods)
    cells = {name: part.as_published() for name, part in given.cells(given.scores, methods).items()}
    errors = {key: part for key, part in panels.both(cells).items() if part.shape[1] > 1}
    if not errors:
        raise Fault(
            f"FT3_1 compares methods, of which {given.study} has only {methods[0]}; name another in its methods"
        )
    diagrams = {key: diagram(part) for key, part in errors.items()}
    heights = {whose: max(part.height for key, part in diagrams.items() if whose in key) for whose, _ in diagrams}
    drawing = Figure(figsize=(7.2, sum(heights.values())), layout="constrained")
    axes = panels.axes(drawing, diagrams, height_ratios=list(heights.values()))
    ends = limits(diagrams.values())
    for (whose, name), part in diagrams.items():
        title = f"{VALIDATIONS[name]}, {whose} ({tested(errors[whose, name])})"
        draw(axes[whose, name], part, ends=ends, height=heights[whose], title=title)
    return drawing, [*face.coverage(cells), *face.copies(cells, given.copies), READING, *panels.notes(diagrams)]


def diagram(errors):
    """The Diagram of errors, frame (n_datasets, n_methods) in percent."""
    n_datasets, n_methods = errors.shape
    return Diagram.of(ranks(errors).mean(), critical_difference(n_methods, n_datasets))


def tested(errors):
    """What Friedman's test, which needs three methods, says of errors, frame (n_datasets, n_methods)."""
    if errors.shape[1] < 3:
        return "no Friedman test"
    return f"Friedman p = {friedman(errors)[1]:.2g}"
