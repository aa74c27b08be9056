"""Covariance matrices of one sample, sorted by its root choice: figures 5.2, 5.3 and 5.5 of the thesis."""

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
PAIRS = [("a", "a"), ("b", "b"), ("c", "c"), ("a", "b"), ("b", "c"), ("a", "c")]  # pairs of choices


def figure(
    results: Results, *, measure: str, panels: dict, printed_lengths: dict, notes: list
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): matrices side by side.

    panels: dict, kernel of the measure -> title.
    printed_lengths: dict, kernel -> printed length.
    notes: sentences; these and the titles may contain the names of `numbers` in braces.
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
    """Values that notes and titles may use. rows: frame of the measure.

    sample: sentence on the sample.
    partitions: number of partitions of the Mondrian kernel.
    <kernel>_length: length of a kernel; length: phrase on the length of kernels with a printed one.
    means: phrase on the mean covariances within and between choices, for the drawn kernels.
    between, diagonal: conditional kernel: largest covariance between choices, and smallest of a point with itself.
    gap, largest_gap: mean and largest difference between the Mondrian kernel and the Laplace kernel.
    standard_error: mean standard error of the Mondrian kernel.
    """
    kernels, roots, by_kernel = matrices(rows), root_choices(rows), rows.groupby("kernel")
    lengths, partitions = by_kernel["length"].first(), by_kernel["partitions"].first()["mondrian"]
    means = [f"{a}-{b} " + " and ".join(f"{_mean(kernels[name], roots, a, b):.2f}" for name in drawn) for a, b in PAIRS]
    gap = abs(kernels["mondrian"] - kernels["laplace"])
    # the share p of m partitions is binomial, with standard deviation sqrt(p (1 - p) / m)
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
    """dict, kernel -> covariance matrix (n, n). rows: frame of the measure."""
    by_kernel = rows.groupby("kernel", sort=False)
    return {name: part.pivot(index="row", columns="column", values="value").to_numpy() for name, part in by_kernel}


def root_choices(rows: pd.DataFrame) -> NDArray:
    """The root choice of each point (n,)."""
    return rows.drop_duplicates("row").sort_values("row")["choice"].to_numpy()


def draw(axis: Axes, matrix: NDArray, roots: NDArray) -> AxesImage:
    """Draw a matrix (n, n), with lines between the choices and their names (roots (n,)); return its image."""
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
    """Mean covariance between points of two choices, or between distinct points of one choice."""
    square = matrix[np.ix_(roots == first, roots == second)]
    return square[~np.eye(len(square), dtype=bool)].mean() if first == second else square.mean()
