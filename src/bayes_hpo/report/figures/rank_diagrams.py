"""Figures of critical-difference diagrams: mean ranks of the same methods, a column per validation, ours on top."""

from matplotlib.figure import Figure

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import Fault
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import as_printed, beside_published
from bayes_hpo.report.figures import panels
from bayes_hpo.report.figures.critical_difference import Diagram, draw, limits
from bayes_hpo.report.results import Results
from bayes_hpo.stats.friedman import critical_difference, friedman
from bayes_hpo.stats.ranks import ranks

READING = "Best on the left; bars join methods whose mean ranks differ by less than CD"


def by_validation(results: Results, *, table: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) of the methods of a table such as "T3_1", ours above the published."""
    methods = published.in_order(published.methods(table), results.methods)
    compared = beside_published(results, methods)
    errors = of_two_methods(panels.both(compared), results)
    return draw_diagrams(errors), [
        *caption.coverage(compared),
        *caption.copies(compared, results.copies),
        f"{READING}; dashed and open: reshuffled.",
        *panels.notes(errors),
    ]


def of_study(results: Results, *, validation: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) of the methods of a study, ours above the published. note: on the published ranks."""
    compared, notes = as_printed(results, validation)
    errors = {("ours", validation): compared.mean, ("published", validation): compared.published}
    beside = [note] if compared.published.shape[1] > 1 else []
    return draw_diagrams(of_two_methods(errors, results)), [*notes, f"{READING}.", *beside]


def of_two_methods(errors, results):
    """Those of some errors, as in `draw_diagrams`, that have at least two methods. Raises: Fault when none have."""
    compared = {key: part for key, part in errors.items() if part.shape[1] > 1}
    if not compared:
        (only, *_), *_ = errors.values()
        raise Fault(
            f"at least 2 methods are compared, but {results.study} has only {only}; name another in its methods and "
            f"make its scores with: snakemake --cores 2 {results.scale}_{results.study}"
        )
    return compared


def draw_diagrams(errors):
    """A matplotlib figure of a diagram per key.

    errors: dict, ("ours" or "published", validation) -> mean errors in percent (n_datasets, at least two methods).
    """
    diagrams = {key: diagram(part) for key, part in errors.items()}
    heights = {whose: max(part.height for key, part in diagrams.items() if whose in key) for whose, _ in diagrams}
    drawing = Figure(figsize=(7.2, sum(heights.values())), layout="constrained")
    axes = panels.axes(drawing, diagrams, height_ratios=list(heights.values()))
    ends = limits(diagrams.values())
    for (whose, name), part in diagrams.items():
        title = f"{VALIDATIONS[name]}, {whose} ({tested(errors[whose, name])})"
        draw(axes[whose, name], part, ends=ends, height=heights[whose], title=title)
    return drawing


def diagram(errors):
    """The Diagram of errors, frame (n_datasets, n_methods) in percent."""
    n_datasets, n_methods = errors.shape
    return Diagram.of(ranks(errors).mean(), critical_difference(n_methods, n_datasets))


def tested(errors):
    """What Friedman's test, which needs three methods, says of errors, frame (n_datasets, n_methods)."""
    if errors.shape[1] < 3:
        return "no Friedman test"
    return f"Friedman p = {friedman(errors)[1]:.2g}"
