"""Validation and test error of one method's incumbent by function evaluation: figure 3.1 of the thesis."""

from dataclasses import replace

import seaborn
from matplotlib.figure import Figure

from bayes_hpo.report import caption
from bayes_hpo.report.comparison import compare
from bayes_hpo.report.figures import incumbent
from bayes_hpo.report.figures.curves import curves

LOOKS = {
    "palette": {"test": "#000000", "validation": "#56B4E9"},
    "markers": {"test": "o", "validation": "s"},
    "dashes": {"test": "", "validation": (4, 2)},
    "markeredgewidth": 0,
    "err_kws": {"linewidth": 0, "alpha": 0.25},
}


def figure(results, *, dataset: str, validation: str, method: str, note: str):
    """(matplotlib figure, notes): means over the repetitions of one data set, with a band of their standard error.

    note: what goes behind the name of the data set.
    """
    name, title = incumbent.stand_in(results, dataset)
    errors = incumbent.errors(results, name, validation, method)
    compared = compare(
        replace(results, datasets={name: results.datasets[name]}), [method], [validation], results.scores
    )
    steps = curves(results.scores, validation, [method], [name])
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    draw(axis, errors.rename_axis(columns="part").stack().rename("error"))
    axis.set(title=title, xlabel="function evaluations", ylabel="mean error (%)", xlim=(0, None))
    seaborn.move_legend(axis, "best", title=None)
    return drawing, [
        *caption.coverage(compared),
        *caption.steps({validation: steps}),
        f"{title}{note}",
        *notes(errors),
    ]


def draw(axis, errors):
    """Mean lines with bands. errors: series, index (iteration, repetition, part)."""
    tidy = errors.reset_index()
    seaborn.lineplot(tidy, x="iteration", y="error", hue="part", style="part", errorbar="se", ax=axis, **LOOKS)


def notes(errors):
    """Sentences on the bands and on the gap at both ends. errors: frame of both, index (iteration, repetition)."""
    mean = errors.groupby("iteration").mean()
    gap = mean["test"] - mean["validation"]
    return [
        "Bands: standard error of the mean over repetitions; a single one has none. The document: mean of 10.",
        f"Test minus validation error: {gap.iloc[0]:.2f} points after {gap.index[0]} and {gap.iloc[-1]:.2f} after "
        f"{gap.index[-1]} function evaluations.",
    ]
