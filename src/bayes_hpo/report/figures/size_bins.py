"""Mean ranks in bins of data set size, hold-out and 5-fold: figure 3.4 of the thesis."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import beside_published
from bayes_hpo.report.figures import panels, style
from bayes_hpo.report.results import Results
from bayes_hpo.stats.ranks import ranks

PRINTED = ["[1, 133]", "(133, 455]", "(455, 1403]", "(1403, 1e5]"]
BINS = ["unknown", *PRINTED, "above 1e5"]
BOUNDS = [-1, 0, 133, 455, 1403, 1e5, np.inf]
READING = "Dashed: reshuffled. Bars: standard error of the mean over data sets; a single one has none."
WIDTH = 0.45  # of the distance of two bins, over which methods stand beside each other


def figure(results: Results, *, methods: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a column per validation, ours above the published of the same data sets."""
    drawn = published.in_order(methods, results.methods)
    compared = beside_published(results, drawn)
    errors = panels.both(compared)
    bins = binned({name: results.sizes[name] for part in compared.values() for name in part.mean.index})
    looks = style.lines(drawn)
    drawing = Figure(figsize=(7.2, 0.4 + 2.3 * len(panels.rows(errors))), layout="constrained")
    axes = panels.axes(drawing, errors, sharex="col", sharey=True)
    for (whose, name), part in errors.items():
        draw_ranks(axes[whose, name], ranks(part), bins, looks)
        axes[whose, name].set_title(f"{VALIDATIONS[name]}, {whose}")
        axes[whose, name].label_outer()
    style.legend_above(drawing, axes[next(iter(axes))])
    notes = [READING, *panels.notes(errors), *vacant(bins)]
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
    empty = [label for label in PRINTED if label not in set(bins)]
    return [f"No data set here has a size in {', '.join(empty)}."] if empty else []
