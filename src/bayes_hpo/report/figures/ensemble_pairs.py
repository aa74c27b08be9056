"""Differences between the members of final ensembles: figure 6 of Shen et al. 2022."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayes_hpo.report import measured
from bayes_hpo.report.results import Results


def heat_maps(
    results: Results, *, measure: str, dataset: str, validation: str, repetition: int, notes: list
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): the diversity of all pairs of members in one repetition, a panel per method.

    measure: name of the measure (`measures.ensemble_pairs`).
    dataset: data set of the document; the largest of the suite replaces one that is missing.
    """
    title, every = results.shown(measure, dataset, validation)
    rows = every[every["repetition"] == repetition]
    methods = measured.methods(results, rows)
    squares = {name: square(rows[rows["method"] == name], "diversity") for name in methods}
    drawing = Figure(figsize=(7.2, 2.7), layout="constrained")
    axes = drawing.subplots(1, len(methods), squeeze=False)[0]
    highest = max(of_method.max(axis=None) for of_method in squares.values())
    for axis, (name, of_method) in zip(axes, squares.items(), strict=True):
        ends = (0.5, len(of_method) + 0.5)
        image = axis.imshow(of_method, cmap="Greys", vmin=0, vmax=highest, extent=(*ends, *ends[::-1]))
        axis.set(title=methods[name], xlabel="member, in order of observation")
        axis.grid(visible=False)
        for side in (axis.xaxis, axis.yaxis):
            side.set_major_locator(MaxNLocator(8, integer=True))
    axes[0].set_ylabel("member")
    drawing.colorbar(image, ax=axes, label="diversity", shrink=0.8)
    of_all = [f"{label} {_means(every[every['method'] == name])}" for name, label in methods.items()]
    return drawing, [
        f"{title}: repetition {repetition} (the first is 0) is shown.",
        *measured.coverage(results, "Numbers", every, validation),
        f"Mean disagreement (diversity) of two members, mean over repetitions: {'; '.join(of_all)}.",
        *notes,
    ]


def square(rows: pd.DataFrame, value: str) -> pd.DataFrame:
    """The values of all pairs of members of one ensemble: a row and a column per member, in order of observation."""
    return rows.pivot(index="first", columns="second", values=value)


def _means(rows):
    """Means over the pairs of distinct members, then over repetitions, as text; 0 for an ensemble of one."""
    pairs = rows.assign(**rows[["disagreement", "diversity"]].where(rows["first"] != rows["second"], np.nan))
    means = pairs.groupby("repetition")[["disagreement", "diversity"]].mean().fillna(0).mean()
    return f"{means['disagreement']:.3f} ({means['diversity']:.3f})"
