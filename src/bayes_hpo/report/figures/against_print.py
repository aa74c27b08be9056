"""Our mean errors against the printed ones: a panel per method, a point per data set. Ours; no document has it."""

from collections import defaultdict
from math import ceil
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import Comparison, of_methods
from bayes_hpo.report.results import Results

COLUMNS, SIDE, TICKS = 4, 1.75, 4  # panels per row, inches per panel, most ticks per axis
ROOM = 1.05  # length of the axes over the largest error
READING = "Each point is a data set, at the printed mean error and ours; on the line they are equal."
DIFFERENT = "A method stands on every data set with scores of it, so panels rest on different ones."
POINTS: Any = {"linestyle": "none", "marker": "o", "markersize": 3, "color": "#00539B", "alpha": 0.6}
UNPRINTED = "The document prints none of the data sets of this scale, so no error stands against a printed one."
FLAGGED: Any = {"linestyle": "none", "marker": "D", "markersize": 4, "color": "#D55E00", "markerfacecolor": "none"}


def by_method(results: Results, *, validation: str, place: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): each printed method on every data set with scores of it and a printed cell.

    place: where the document prints the errors, such as "table B.1". The figure is blank if no data set is printed.
    Raises: MissingResultsError when no printed method has scores on the printed data sets.
    """
    if results.printed.of_validation(validation)[0].dropna(how="all").index.intersection(list(results.datasets)).empty:
        return Figure(figsize=(SIDE, SIDE)), [UNPRINTED]
    compared = _compared(results, validation)
    rows = ceil(len(compared) / COLUMNS)
    drawing = Figure(figsize=(COLUMNS * SIDE, rows * (SIDE + 0.5)), layout="constrained")
    axes = drawing.subplots(rows, COLUMNS, squeeze=False).ravel()
    end = ROOM * max(frame.max().max() for part in compared.values() for frame in (part.mean, part.published_mean))
    flagged = results.printed.called({*results.printed.flagged, *results.printed.not_comparable})
    for axis, (method, part) in zip(axes, compared.items(), strict=False):
        _draw(axis, part, flagged, end)
        axis.set(title=results.printed.method(method), xlabel=f"{place} ({results.unit_labels[0]})")
    for axis in axes[::COLUMNS]:
        axis.set_ylabel(f"ours ({results.unit_labels[0]})")
    for axis in axes[len(compared) :]:
        axis.set_visible(False)
    return drawing, _notes(results, compared, validation, flagged)


def _compared(results, validation):
    """Method -> its Comparison on the data sets that both it and the document have; methods without any are left out.

    Raises: MissingResultsError when all are left out.
    """
    printed, _ = results.printed.of_validation(validation)
    every = {name: of_methods(results, validation, [name]) for name in results.methods if name in printed}
    compared = {name: part.as_published() for name, part in every.items() if part.published.size}
    if not compared:
        words = f"no printed method has {VALIDATIONS[validation]} scores on a printed data set"
        raise MissingResultsError(f"{words}; {results.remake}")
    return compared


def _draw(axis: Axes, compared: Comparison, flagged: list[str], end: float) -> None:
    """Draw the points of one method and the diagonal. flagged: data sets with open marks; end: of both axes."""
    axis.plot([0, end], [0, end], color="0.6", linewidth=0.6)
    for kept, look in ((compared.without(flagged), POINTS), (_only(compared, flagged), FLAGGED)):
        axis.plot(kept.published_mean.iloc[:, 0], kept.mean.iloc[:, 0], **look)
    axis.set(xlim=(0, end), ylim=(0, end), aspect="equal")
    for side in (axis.xaxis, axis.yaxis):
        side.set_major_locator(MaxNLocator(TICKS))


def _only(compared, datasets):
    """The comparison restricted to `datasets`."""
    return compared.without([name for name in compared.mean.index if name not in datasets])


def _notes(results, compared, validation, flagged):
    """Sentences on the data sets and repetitions of each method, and on how to read the figure."""
    methods = defaultdict(list)
    for name, part in compared.items():
        size = caption.size(len(part.mean), part.repetitions, results.planned(validation))
        methods[size].append(results.printed.method(name))
    sizes = [f"{size} ({', '.join(names)})" for size, names in methods.items()] if len(methods) > 1 else list(methods)
    shown = {name for part in compared.values() for name in part.mean.index if name in flagged}
    marked = [results.printed.dataset(name) for name in results.datasets if name in shown]
    return [
        f"{VALIDATIONS[validation].capitalize()}: {'; '.join(sizes)}.",
        READING,
        *[DIFFERENT] * (len({tuple(part.mean.index) for part in compared.values()}) > 1),
        *(
            [f"Open marks: {caption.few(marked)}, whose identity or print is in doubt (docs/data.md)."]
            if marked
            else []
        ),
        *caption.copies(compared, results.copies),
    ]
