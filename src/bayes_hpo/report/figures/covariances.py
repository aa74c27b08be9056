"""Covariance matrices of one sample sorted by its root choice: figures 5.2, 5.3 and 5.5 of the thesis."""

import numpy as np
from matplotlib.figure import Figure

from bayes_hpo.report.results import Results

SAMPLE = (
    "One draw of {points} points, uniform in the unit cube of four hyperparameters: a choice among {choices}, coded as "
    "an integer, and one real hyperparameter of each choice; sorted by the choice."
)
PAIRS = [("a", "a"), ("b", "b"), ("c", "c"), ("a", "b"), ("b", "c"), ("a", "c")]  # of choices


def imputation(results: Results, *, measure: str, panels: dict, length: float, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the squared exponential kernel without and with imputation.

    panels: dict, kernel of the measure -> title. length: the printed one. note: what the document observes.
    """
    rows = results.measure(measure)
    kernels, roots, used = matrices(rows), root_choices(rows), setting(rows, "imputed", "length")
    means = [
        f"{a}-{b} " + " and ".join(f"{mean_between(kernels[name], roots, a, b):.2f}" for name in panels)
        for a, b in PAIRS
    ]
    return draw_panels(rows, panels), [
        sample(rows),
        f"Squared exponential kernel exp(-|x - x'|²/l), {as_printed(used, length)}: neither halved nor squared.",
        f"Mean covariance of two points without and with imputation: {', '.join(means)}. {note}",
    ]


def conditional(results: Results, *, measure: str, panels: dict) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the conditional kernel around the squared exponential one."""
    rows = results.measure(measure)
    kernel, roots = matrices(rows)["conditional"], root_choices(rows)
    between = abs(kernel[roots[:, None] != roots]).max()
    return draw_panels(rows, panels), [
        sample(rows),
        "The squared exponential kernel of figure 5.2 with imputation if two points have the same choice, else zero.",
        f"Largest covariance between choices: {between:g}; on the diagonal: {kernel.diagonal().min():g}.",
    ]


def mondrian(results: Results, *, measure: str, length: float) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the Mondrian kernel beside the Laplace kernel. length: the printed one."""
    rows = results.measure(measure)
    kernels = matrices(rows)
    used, of_5_2 = (setting(rows, kernel, "length") for kernel in ("laplace", "imputed"))
    partitions = setting(rows, "mondrian", "partitions")
    gap = abs(kernels["mondrian"] - kernels["laplace"])
    expected = np.sqrt(kernels["laplace"] * (1 - kernels["laplace"]) / partitions)  # sd of a binomial share
    titles = {"mondrian": f"Mondrian kernel, {partitions} partitions", "laplace": "Laplace kernel"}
    return draw_panels(rows, titles), [
        f"{sample(rows)} Inactive values at the middle, no conditional kernel.",
        f"Laplace: exp(-|x - x'|₁/l), {as_printed(used, length)} (the text calls it the length of "
        f"figure 5.2, which is {of_5_2:g}); lifetime of the partitions 1/l.",
        f"They differ by {gap.mean():.3f} on average and by {gap.max():.2f} at most; standard error of the Mondrian "
        f"kernel: {expected.mean():.3f} on average. The caption in the document is that of figure 5.3.",
    ]


def matrices(rows):
    """dict, kernel -> matrix (n, n). rows: frame of the measure."""
    by_kernel = rows.groupby("kernel", sort=False)
    return {name: part.pivot(index="row", columns="column", values="value").to_numpy() for name, part in by_kernel}


def root_choices(rows):
    """The root choice of each point (n,)."""
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
    kernels, roots = matrices(rows), root_choices(rows)
    for axis, (kernel, title) in zip(axes, titles.items(), strict=True):
        image = draw(axis, kernels[kernel], roots)
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
    roots = root_choices(rows)
    return SAMPLE.format(points=len(roots), choices=", ".join(dict.fromkeys(roots)))


def mean_between(matrix, roots, first, second):
    """Mean covariance of the points of one choice with those of another, or of its different points."""
    block = matrix[np.ix_(roots == first, roots == second)]
    return block[~np.eye(len(block), dtype=bool)].mean() if first == second else block.mean()
