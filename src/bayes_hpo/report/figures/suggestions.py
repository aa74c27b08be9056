"""Differences between late suggestions and the ensemble: figures 1 and 5 of Shen et al. 2022."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayes_hpo.report import measured
from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results

LABEL = "minimum diversity"
TIES_AFTER = (5, 10, 25, 50, 100)  # trials


def from_reference(
    results: Results, *, measure: str, dataset: str, validation: str, notes: list
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): diversity of suggestions after a reference iteration from that iteration's ensemble.

    measure: name of the measure (`measures.suggestions`).
    dataset: data set of the document; the largest of the suite replaces one that is missing.
    notes: sentences, which may contain {reference}, the iteration.
    """
    title, rows = results.shown(measure, dataset, validation)
    late = rows[rows["iteration"] > rows["reference"]]
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    means = draw(axis, late, "reference_diversity", measured.methods(results, rows))
    axis.set(title=title, xlabel="iteration", ylabel=LABEL, ylim=(0, None))
    style.legend_above(drawing, axis)
    return drawing, [*_of(results, title, rows, validation, notes), _means(means)]


def by_iteration(
    results: Results, *, measure: str, dataset: str, validation: str, notes: list
) -> tuple[Figure, list[str]]:
    """`from_reference` with the ensemble of the previous iteration, and the mean error of each ensemble's members."""
    title, rows = results.shown(measure, dataset, validation)
    late, methods = rows[rows["iteration"] >= rows["reference"]], measured.methods(results, rows)
    drawing = Figure(figsize=(7.2, 3.0), layout="constrained")
    left, right = drawing.subplots(1, 2)
    means = draw(left, late, "diversity", methods)
    errors = draw(right, late.assign(error=100 * late["member_error"]), "error", methods, linestyle=style.DASHED)
    after = means[means.index > rows["reference"].iloc[0]]  # the window of figure 1 and of claim D5-mindiv
    left.set(title=title, xlabel="iteration", ylabel=LABEL, ylim=(0, None))
    right.set(title=title, xlabel="iteration", ylabel="members' mean validation error (%)")
    style.legend_above(drawing, left)
    ends = ", ".join(f"{name} {error:.2f} %" for name, error in errors.iloc[-1].items())
    of_members = f"Members' mean error at the end: {ends}."
    return drawing, [*_of(results, title, rows, validation, notes), _means(after), of_members, *_ties(rows, methods)]


def draw(axis: Axes, rows: pd.DataFrame, column: str, methods: dict[str, str], **look: object) -> pd.DataFrame:
    """Draw the means over repetitions as a line per method; return them, a row per iteration and a column per label.

    rows: frame of the measure. methods: name -> label.
    """
    means = rows.groupby(["iteration", "method"])[column].mean().unstack().reindex(columns=list(methods))
    looks = style.lines(["", *methods])  # without the lightest hue
    for place, (name, label) in enumerate(methods.items()):
        every = style.spaced(len(means), place)
        axis.plot(means.index, means[name], label=label, markevery=every, **{**looks[name], **look})
        alone = means[name][means[name].shift(1).isna() & means[name].shift(-1).isna()]  # points that no line joins
        if alone.size:
            axis.plot(alone.index, alone, **{**looks[name], "linestyle": "none"})
    axis.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    return means.rename(columns=methods)


def _of(results, title, rows, validation, notes):
    late = rows[rows["iteration"] > rows["reference"]]
    return [
        *measured.coverage(results, title, rows, validation),
        *measured.failures(results, late),
        measured.constant_error(rows),
        *[note.format(reference=rows["reference"].iloc[0]) for note in notes],
    ]


def _means(means):
    values = ", ".join(f"{name} {value:.3f}" for name, value in means.mean().items())
    return f"Minimum diversity, mean over iterations {means.index.min()} to {means.index.max()}: {values}."


def _ties(rows, methods):
    """The sentence (list) on candidates that share the best acquisition value; empty if no search records them."""
    medians = rows.groupby(["method", "iteration"])["top_tie"].median().dropna()
    parts = {
        label: [f"{medians[name, t + 1]:.0f} (t = {t})" for t in TIES_AFTER if (name, t + 1) in medians.index]
        for name, label in methods.items()
    }
    counts = "; ".join(f"{label} {', '.join(numbers)}" for label, numbers in parts.items() if numbers)
    what = "Candidates that share the best expected improvement after t trials, median over repetitions"
    return [f"{what}: {counts}."] if counts else []
