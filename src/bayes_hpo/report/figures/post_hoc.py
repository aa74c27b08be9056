"""Errors of a post-hoc ensemble by number of votes: figure 4.1 of the thesis."""

from typing import Any

from matplotlib.figure import Figure

from bayes_hpo.report import caption
from bayes_hpo.report.figures import incumbent, style
from bayes_hpo.report.results import Results

PARTS: dict[str, tuple[str, str, dict[str, Any]]] = {  # column of the ensemble, column of the best single model, look
    "test": ("test_error", "single_error", {"color": "#000000", "linestyle": "-"}),
    "validation": ("validation_loss", "single_loss", {"color": "#00539B", "linestyle": style.DASHED}),
}
SINGLE: dict[str, Any] = {"linestyle": (0, (1, 1.5)), "linewidth": 1}


def by_step(results: Results, *, measure: str, dataset: str, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): means over repetitions of test and validation error after each step.

    The errors of the best single model, which are constant, are drawn for comparison.
    dataset: the published one. notes: sentences on it, which may contain {trials}.
    """
    name, title = incumbent.stand_in(results, dataset)
    rows = results.measure(measure)
    rows = rows[rows["dataset"] == name]
    steps = rows.groupby("step")
    drawing = Figure(figsize=(5.4, 3.2), layout="constrained")
    axis = drawing.subplots()
    said = []
    for part, (column, of_single, look) in PARTS.items():
        mean, single = 100 * steps[column].mean(), 100 * rows[of_single].mean()
        axis.plot(mean.index, mean, label=f"{part}, ensemble", **look)
        axis.axhline(single, label=f"{part}, best single model", **(look | SINGLE))
        last = rows[rows["step"] == mean.index.max()]
        error = 100 * (last[column] - last[of_single]).sem()  # standard error of the paired difference
        said.append(
            f"{part} {single:.2f} % of the best single model, {mean.iloc[-1]:.2f} % of the ensemble ({error:.2f})"
        )
    axis.set(title=title, xlabel="votes in the ensemble", ylabel="error (%)", xlim=(1, mean.index.max()))
    style.legend_above(drawing, axis)
    return drawing, [
        f"{title}: 5-fold, {caption.counted(rows['repetition'].nunique(), 'repetition')}; lines: means.",
        f"In the end (standard error of the difference): {'; '.join(said)}.",
        *(note.format(trials=rows["trials"].iloc[0]) for note in notes),
    ]
