"""Figures of covariance matrices of one sample that is sorted by the choice of its root, as chapter 5 draws them."""

import numpy as np
from matplotlib.figure import Figure

MEASURE = "toy_covariances"
SAMPLE = (
    "One draw of {points} points, uniform in the unit cube of four hyperparameters: a choice among {choices}, coded as "
    "an integer, and one real hyperparameter of each choice; sorted by the choice."
)


def matrices(rows):
    """dict, kernel -> matrix (n, n). rows: frame of the measure."""
    by_kernel = rows.groupby("kernel", sort=False)
    return {name: part.pivot(index="row", columns="column", values="value").to_numpy() for name, part in by_kernel}


def choices(rows):
    """The choice of the root of each point (n,)."""
    return rows.drop_duplicates("row").sort_values("row")["choice"].to_numpy()


def setting(rows, kernel, column):
    """The length of a kernel, or the number of its partitions: a column of the measure."""
    return rows.loc[rows["kernel"] == kernel, column].iloc[0]


def as_printed(length, printed):
    """A kernel's length beside the printed one, in words."""
    return f"l = {length:g} as printed" if length == printed else f"l = {length:g} (printed: {printed:g})"


def draw_panels(rows, titles):
    """A matplotlib figure of matrices beside each other. rows: frame of the measure. titles: dict, kernel -> text."""
    drawing = Figure(figsize=(3.5 * len(titles) + 0.6, 3.6), layout="constrained")
    axes = drawing.subplots(1, len(titles), squeeze=False)[0]
    found, roots = matrices(rows), choices(rows)
    for axis, (kernel, title) in zip(axes, titles.items(), strict=True):
        image = draw(axis, found[kernel], roots)
        axis.set_title(title)
    drawing.colorbar(image, ax=axes, shrink=0.8, label="covariance")
    return drawing


def draw(axis, matrix, roots):
    """One matrix with lines between the choices and their names; its image."""
    names, first = np.unique(roots, return_index=True)
    image = axis.imshow(matrix, cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
    ends = np.append(first[1:], len(roots))
    middles = (first + ends - 1) / 2
    axis.set_xticks(middles, names)
    axis.set_yticks(middles, names)
    axis.tick_params(length=0)
    axis.grid(visible=False)
    for edge in first[1:] - 0.5:
        axis.axhline(edge, color="#D55E00", linewidth=0.6)
        axis.axvline(edge, color="#D55E00", linewidth=0.6)
    return image


def sample(rows):
    """The sentence on the sample."""
    roots = choices(rows)
    return SAMPLE.format(points=len(roots), choices=", ".join(dict.fromkeys(roots)))


def mean_between(matrix, roots, one, other):
    """Mean covariance of the points of one choice with those of another, or of its different points."""
    block = matrix[np.ix_(roots == one, roots == other)]
    return block[~np.eye(len(block), dtype=bool)].mean() if one == other else block.mean()
