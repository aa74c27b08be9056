"""Validation accuracy by the two parameters of the diversity weight: figure 7 of Shen et al. 2022."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report import caption
from bayes_hpo.report.results import Results


def accuracies(
    *studies: Results, measure: str, validation: str, cells: Mapping[str, Mapping[str, str]], notes: list
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): mean accuracy of the final ensembles, a panel per data set, a cell per method.

    The cells of a data set are means over the same repetitions: those of all methods that were run there.
    measure: name of the measure (`measures.selection_errors`).
    cells: beta -> tau -> method; cells of methods that were not run are empty.
    Raises: RunError without the measure, or without a repetition that all methods of a data set have finished.
    """
    methods = pd.DataFrame(cells).T  # beta x tau
    rows = pd.concat([results.measure(measure) for results in studies], ignore_index=True)
    rows = _paired(rows[(rows["validation"] == validation) & (rows["iteration"] == rows["iteration"].max())])
    if rows.empty:
        raise MissingResultsError(f"no repetition of all methods in {measure}; {studies[0].remake}")
    means = 100 * (1 - rows.groupby(["dataset", "method"])["validation_loss"].mean())
    names = list(rows["dataset"].unique())
    drawing = Figure(figsize=(0.8 + 3.2 * len(names), 2.8), layout="constrained")
    for axis, name in zip(drawing.subplots(1, len(names), squeeze=False)[0], names, strict=True):
        draw(axis, methods.map(means[name].to_dict().get).astype(float))
        axis.set_title(f"{studies[0].published_name(name)}: validation accuracy (%)")
    repetitions = rows.groupby(["dataset", "method"])["repetition"].nunique()
    size = caption.size(len(names), repetitions, studies[0].planned(validation))
    return drawing, [
        f"{VALIDATIONS[validation].capitalize()}: {size}; {len(means)} of {methods.size * len(names)} cells were run.",
        *notes,
    ]


def _paired(rows):
    """The rows in the repetitions that all methods with rows on their data set have finished."""
    methods = rows.groupby("dataset")["method"].transform("nunique")
    return rows[rows.groupby(["dataset", "repetition"])["method"].transform("nunique") == methods]


def draw(axis: Axes, values: pd.DataFrame) -> None:
    """Draw values (beta x tau) as numbered cells; NaN is an empty cell."""
    axis.imshow(values, cmap="Greys", aspect="auto")
    middle = np.nanmean([values.min(axis=None), values.max(axis=None)])
    for (i, j), value in np.ndenumerate(values.to_numpy()):
        if np.isfinite(value):
            axis.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if value > middle else "black")
    axis.set_xticks(range(values.shape[1]), values.columns)
    axis.set_yticks(range(values.shape[0]), values.index)
    axis.set(xlabel="\N{GREEK SMALL LETTER TAU}", ylabel="\N{GREEK SMALL LETTER BETA}")
    axis.grid(visible=False)
