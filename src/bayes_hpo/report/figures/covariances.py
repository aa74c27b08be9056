"""Covariance matrices of one sample sorted by its root choice: figures 5.2, 5.3 and 5.5 of the thesis."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from bayes_hpo.report.results import Results

SAMPLE = (
    "One draw of {points} points, uniform in the unit cube of four hyperparameters: a choice among {choices}, coded as "
    "an integer, and one real hyperparameter of each choice; sorted by the choice."
)
PAIRS = [("a", "a"), ("b", "b"), ("c", "c"), ("a", "b"), ("b", "c"), ("a", "c")]  # of choices


def figure(
    results: Results, *, measure: str, panels: dict, printed_lengths: dict, notes: list
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): matrices beside each other.

    panels: dict, kernel of the measure -> title.
    printed_lengths: dict, kernel -> the printed one.
    notes: sentences. They and the titles name `numbers` in braces.
    """
    rows = results.measure(measure)
    known = numbers(rows, list(panels), printed_lengths)
    kernels, roots = matrices(rows), root_choices(rows)
    drawing = Figure(figsize=(3.5 * len(panels) + 0.6, 3.6), layout="constrained")
    axes = drawing.subplots(1, len(panels), squeeze=False)[0]
    for axis, (kernel, title) in zip(axes, panels.items(), strict=True):
        image = draw(axis, kernels[kernel], roots)
        axis.set_title(title.format(**known))
    drawing.colorbar(image, ax=axes, shrink=0.8, label="covariance")
    return drawing, [note.format(**known) for note in notes]


def numbers(rows: pd.DataFrame, drawn: list[str], printed_lengths: dict[str, float]) -> dict[str, Any]:
    """What notes may name. rows: frame of the measure.

    sample: the sentence on the sample; partitions: number of those of the Mondrian kernel.
    <kernel>_length: its length; length: that of the kernel with a printed one, in words.
    means: mean covariances within and between choices, of the drawn kernels, in words.
    between, diagonal: of the conditional kernel, the largest between choices and the least of a point with itself.
    gap, largest_gap: between the Mondrian kernel and the Laplace kernel; standard_error: of the first, on average.
    """
    kernels, roots, by_kernel = matrices(rows), root_choices(rows), rows.groupby("kernel")
    lengths, partitions = by_kernel["length"].first(), by_kernel["partitions"].first()["mondrian"]
    means = [f"{a}-{b} " + " and ".join(f"{_mean(kernels[name], roots, a, b):.2f}" for name in drawn) for a, b in PAIRS]
    gap = abs(kernels["mondrian"] - kernels["laplace"])
    # a share p of m partitions is binomial: its deviation is sqrt(p (1 - p) / m)
    deviation = np.sqrt(kernels["laplace"] * (1 - kernels["laplace"]) / partitions)
    in_words = [
        f"l = {lengths[kernel]:g} " + ("as printed" if lengths[kernel] == printed else f"(printed: {printed:g})")
        for kernel, printed in printed_lengths.items()
    ]
    return {
        "sample": SAMPLE.format(points=len(roots), choices=", ".join(dict.fromkeys(roots))),
        "partitions": partitions,
        **{f"{kernel}_length": length for kernel, length in lengths.items()},
        "length": ", ".join(in_words),
        "means": ", ".join(means),
        "between": abs(kernels["conditional"][roots[:, None] != roots]).max(),
        "diagonal": kernels["conditional"].diagonal().min(),
        "gap": gap.mean(),
        "largest_gap": gap.max(),
        "standard_error": deviation.mean(),
    }


def matrices(rows: pd.DataFrame) -> dict[str, NDArray]:
    """dict, kernel -> matrix (n, n). rows: frame of the measure."""
    by_kernel = rows.groupby("kernel", sort=False)
    return {name: part.pivot(index="row", columns="column", values="value").to_numpy() for name, part in by_kernel}


def root_choices(rows: pd.DataFrame) -> NDArray:
    """The root choice of each point (n,)."""
    return rows.drop_duplicates("row").sort_values("row")["choice"].to_numpy()


def draw(axis: Axes, matrix: NDArray, roots: NDArray) -> AxesImage:
    """Draw a matrix (n, n) with lines between the choices and their names (roots (n,)); return its image."""
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


def _mean(matrix, roots, first, second):
    """Mean covariance of the points of one choice with those of another, or of its different points."""
    square = matrix[np.ix_(roots == first, roots == second)]
    return square[~np.eye(len(square), dtype=bool)].mean() if first == second else square.mean()
