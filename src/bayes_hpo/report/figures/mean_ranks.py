"""Figures of mean ranks, a column per validation, ours above the published: figures 3.4, 5.6, and table 3.1 as one."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report import caption, left_out
from bayes_hpo.report.comparison import as_printed, beside_published, covered
from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.critical_difference import Diagram, draw, limits
from bayes_hpo.report.results import Results
from bayes_hpo.stats.friedman import critical_difference, friedman
from bayes_hpo.stats.ranks import ranks

PRINTED_BINS = ["[1, 133]", "(133, 455]", "(455, 1403]", "(1403, 1e5]"]
BINS = ["unknown", *PRINTED_BINS, "above 1e5"]
BOUNDS = [-1, 0, 133, 455, 1403, 1e5, np.inf]
SIZE_READING = "Dashed: reshuffled. Bars: standard error of the mean over data sets; a single one has none."
WIDTH = 0.45  # share of a bin's width over which methods are spread
READING = "Best on the left; bars join methods whose mean ranks differ by less than CD"
WHOSE = ("ours", "published")  # rows of panels, from top to bottom


def by_validation(results: Results, *, table: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) for the methods of a table such as "T3_1", ours above the published."""
    every, absent = covered(results, published.in_order(published.methods(table), results.methods))
    compared = {name: of_one.as_published() for name, of_one in every.items()}
    panels = _of_two_methods(_panels(compared), results)
    return draw_diagrams(panels), [
        *caption.coverage(compared),
        *absent,
        *caption.copies(compared, results.copies),
        f"{READING}; dashed and open: reshuffled.",
        _on_published(panels),
    ]


def of_study(
    results: Results, *, validation: str, note: str, methods: list[str] | None = None
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) for the methods of a study, ours above the published.

    note: sentence on the published ranks.
    methods: methods to compare, None for all of the study.
    """
    compared, notes = as_printed(results, validation, methods)
    beside = [note] if compared.published.shape[1] > 1 else []
    return draw_diagrams(_of_two_methods(_panels({validation: compared}), results)), [*notes, f"{READING}.", *beside]


def by_size(results: Results, *, methods: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): mean ranks by size of data set, a column per validation, ours above the published."""
    drawn = published.in_order(methods, results.methods)
    compared = beside_published(results, drawn)
    panels = _panels(compared)
    bins = binned({name: results.sizes[name] for part in compared.values() for name in part.mean.index})
    looks = style.lines(drawn)
    drawing = Figure(figsize=(7.2, 0.4 + 2.3 * len(_sources(panels))), layout="constrained")
    axes = _axes(drawing, panels, sharey=True)
    for label, axis in axes.items():
        draw_ranks(axis, ranks(panels[label]), bins, looks)
        axis.set_title(label)
        axis.label_outer()
    style.legend_above(drawing, drawing.axes[0])
    empty = [label for label in PRINTED_BINS if label not in set(bins)]
    vacant = [f"No data set here has a size in {', '.join(empty)}."] if empty else []
    notes = [SIZE_READING, _on_published(panels), *vacant]
    missing = left_out.validations(VALIDATIONS, compared)
    return drawing, [*caption.coverage(compared), *missing, *caption.copies(compared, results.copies), *notes]


def _panels(compared):
    """Mean errors (n_datasets, n_methods) by panel, such as "hold-out, ours"; no published panel if nothing is printed.

    compared: dict, validation -> Comparison.
    """
    panels = {f"{VALIDATIONS[name]}, ours": part.mean for name, part in compared.items()}
    panels |= {f"{VALIDATIONS[name]}, published": part.published for name, part in compared.items()}
    return {label: part for label, part in panels.items() if part.size}


def _of_two_methods(panels, results):
    """The panels with at least two methods. Raises: MissingResultsError when there are none."""
    compared = {label: part for label, part in panels.items() if part.shape[1] > 1}
    if not compared:
        (only, *_), *_ = panels.values()
        raise MissingResultsError(
            f"at least 2 methods are compared, but {results.study} has only {only}; name another in its methods and "
            f"make its scores with: snakemake --cores 2 {results.scale}_{results.study}"
        )
    return compared


def _axes(drawing, panels, **options):
    """The axes: dict by panel; a column per validation, a row per source. options: those of Figure.subplot_mosaic."""
    validations = dict.fromkeys(label.partition(", ")[0] for label in panels)
    labels = [[f"{name}, {whose}" for name in validations] for whose in _sources(panels)]
    return drawing.subplot_mosaic([[label if label in panels else "." for label in row] for row in labels], **options)


def _sources(panels):
    """The members of WHOSE that have panels."""
    return [whose for whose in WHOSE if any(label.endswith(whose) for label in panels)]


def _on_published(panels):
    """The sentence on the published panels."""
    if "published" in _sources(panels):
        return "published: recomputed on the same data sets from the cells of tables B.1 and B.2 (one decimal)."
    return "The document has no cells of these data sets."


def draw_diagrams(panels: dict[str, pd.DataFrame]) -> Figure:
    """A matplotlib figure with a critical-difference diagram per panel.

    panels: dict, panel -> mean errors (n_datasets, at least two methods), any unit.
    """
    diagrams = {
        label: Diagram.of(ranks(errors).mean(), critical_difference(errors.shape[1], len(errors)))
        for label, errors in panels.items()
    }
    heights = {  # height of each row, inches
        whose: max(part.height for label, part in diagrams.items() if label.endswith(whose))
        for whose in _sources(panels)
    }
    drawing = Figure(figsize=(7.2, sum(heights.values())), layout="constrained")
    axes = _axes(drawing, panels, height_ratios=list(heights.values()))
    ends = limits(diagrams.values())
    for label, errors in panels.items():
        # Friedman's test needs three methods
        test = f"Friedman p = {friedman(errors)[1]:.2g}" if errors.shape[1] > 2 else "no Friedman test"
        height = heights[label.partition(", ")[2]]
        draw(axes[label], diagrams[label], ends=ends, height=height, title=f"{label} ({test})")
    return drawing


def binned(sizes: dict[str, int]) -> pd.Series:
    """The bin of each data set, as ordered categories. sizes: dict, data set -> number of rows, 0 if unknown."""
    return pd.cut(pd.Series(sizes, dtype=float, name="bin"), BOUNDS, labels=BINS)


def draw_ranks(axis: Axes, rank: pd.DataFrame, bins: pd.Series, looks: dict[str, dict]) -> None:
    """Draw the mean rank of each method in each nonempty bin, with its standard error over data sets.

    rank (n_datasets, n_methods): ranks on each data set.
    bins: series, data set -> bin.
    looks: dict, method -> line properties.
    """
    by_bin = rank.groupby(bins.reindex(rank.index), observed=True)
    mean, error, count = by_bin.mean(), by_bin.sem(), by_bin.size()
    for shift, (name, look) in zip(np.linspace(-0.5, 0.5, len(looks)), looks.items(), strict=True):
        if name in mean:
            place = np.arange(len(mean)) + WIDTH * shift
            axis.errorbar(place, mean[name], error[name], label=printed(name), elinewidth=0.6, **look)
    axis.set_xticks(range(len(mean)), [f"{label}\nN = {count[label]}" for label in mean.index])
    axis.set_xlim(-0.5, len(mean) - 0.5)
    axis.grid(visible=False, axis="x")
    axis.vlines(np.arange(1, len(mean)) - 0.5, 0, 1, transform=axis.get_xaxis_transform(), color="0.8", linewidth=0.6)
    axis.set(xlabel="rows for training and validation (N: data sets)", ylabel="mean rank (1 is best)")
