"""Figures of mean ranks, a column per validation, ours above the published: figures 3.4, 5.6, and that to table 3.1."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.errors import RunError
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import as_printed, beside_published
from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.critical_difference import Diagram, draw, limits
from bayes_hpo.report.results import Results
from bayes_hpo.stats.friedman import critical_difference, friedman
from bayes_hpo.stats.ranks import ranks

PRINTED_BINS = ["[1, 133]", "(133, 455]", "(455, 1403]", "(1403, 1e5]"]
BINS = ["unknown", *PRINTED_BINS, "above 1e5"]
BOUNDS = [-1, 0, 133, 455, 1403, 1e5, np.inf]
SIZE_READING = "Dashed: reshuffled. Bars: standard error of the mean over data sets; a single one has none."
WIDTH = 0.45  # of the distance of two bins, over which methods stand beside each other
READING = "Best on the left; bars join methods whose mean ranks differ by less than CD"


def by_validation(results: Results, *, table: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) of the methods of a table such as "T3_1", ours above the published."""
    methods = published.in_order(published.methods(table), results.methods)
    compared = beside_published(results, methods)
    errors = of_two_methods(_both(compared), results)
    return draw_diagrams(errors), [
        *caption.coverage(compared),
        *caption.copies(compared, results.copies),
        f"{READING}; dashed and open: reshuffled.",
        *_published_notes(errors),
    ]


def of_study(results: Results, *, validation: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) of the methods of a study, ours above the published. note: on the published ranks."""
    compared, notes = as_printed(results, validation)
    errors = {("ours", validation): compared.mean, ("published", validation): compared.published}
    beside = [note] if compared.published.shape[1] > 1 else []
    return draw_diagrams(of_two_methods(errors, results)), [*notes, f"{READING}.", *beside]


def of_two_methods(errors, results):
    """Those of some errors, as in `draw_diagrams`, that have at least two methods. Raises: RunError when none have."""
    compared = {key: part for key, part in errors.items() if part.shape[1] > 1}
    if not compared:
        (only, *_), *_ = errors.values()
        raise RunError(
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
    axes = _axes(drawing, diagrams, height_ratios=list(heights.values()))
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


def by_size(results: Results, *, methods: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a column per validation, ours above the published of the same data sets."""
    drawn = published.in_order(methods, results.methods)
    compared = beside_published(results, drawn)
    errors = _both(compared)
    bins = binned({name: results.sizes[name] for part in compared.values() for name in part.mean.index})
    looks = style.lines(drawn)
    drawing = Figure(figsize=(7.2, 0.4 + 2.3 * len(_rows(errors))), layout="constrained")
    axes = _axes(drawing, errors, sharex="col", sharey=True)
    for (whose, name), part in errors.items():
        draw_ranks(axes[whose, name], ranks(part), bins, looks)
        axes[whose, name].set_title(f"{VALIDATIONS[name]}, {whose}")
        axes[whose, name].label_outer()
    style.legend_above(drawing, axes[next(iter(axes))])
    notes = [SIZE_READING, *_published_notes(errors), *vacant(bins)]
    return drawing, [*caption.coverage(compared), *caption.copies(compared, results.copies), *notes]


def binned(sizes):
    """The bin of each data set, as ordered categories. sizes: dict, data set -> rows, 0 if unknown."""
    return pd.cut(pd.Series(sizes, dtype=float, name="bin"), BOUNDS, labels=BINS)


def draw_ranks(axis, rank, bins, looks):
    """Mean rank of each method in each bin that has data sets, with its standard error over these.

    rank: frame (n_datasets, n_methods). bins: series, data set -> bin. looks: method -> line properties.
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


def vacant(bins):
    """The sentence on the printed bins without data sets."""
    empty = [label for label in PRINTED_BINS if label not in set(bins)]
    return [f"No data set here has a size in {', '.join(empty)}."] if empty else []


def _both(compared):
    """Mean errors to draw: dict, ("ours" or "published", validation) -> frame (n_datasets, n_methods) in percent.

    compared: dict, validation -> Comparison. What the document lacks is absent: methods, or a whole validation.
    """
    errors = {("ours", name): part.mean for name, part in compared.items()}
    errors |= {("published", name): part.published for name, part in compared.items()}
    return {key: part for key, part in errors.items() if part.size}


def _rows(keys):
    """The sources among keys of `_both`, "ours" and "published", from top to bottom."""
    return list(dict.fromkeys(whose for whose, _ in keys))


def _axes(figure, keys, **options):
    """Dict, key of `_both` -> its axis in the figure. options: as of Figure.subplots."""
    sources, names = _rows(keys), list(dict.fromkeys(name for _, name in keys))
    grid = figure.subplots(len(sources), len(names), squeeze=False, **options)
    places = dict(zip(product(sources, names), grid.flat, strict=True))
    for key in places.keys() - set(keys):
        places[key].set_visible(False)
    return {key: places[key] for key in keys}


def _published_notes(keys):
    """The sentence (list) on the published panels."""
    if "published" in _rows(keys):
        return ["published: recomputed on the same data sets from the cells of tables B.1 and B.2 (one decimal)."]
    return ["The document has no cells of these data sets."]
