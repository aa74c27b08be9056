"""Rank correlation of surrogates on unseen configurations, by number of observations: figure 2 of Shen et al. 2022."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report import caption
from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results, stand_ins

PLACE = 1.04  # position of the published marks, as a multiple of the observations


def correlations(
    results: Results,
    *,
    measure: str,
    surrogates: dict[str, str],
    validation: str,
    printed: dict[str, dict],
    notes: list,
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): Kendall's tau with bands of one standard deviation over repetitions.

    measure: name of the measure (`measures.surrogate_correlations`).
    surrogates: name -> label, in order.
    printed: data set -> surrogate -> printed tau with all observations; others of the suite replace missing data sets.
    """
    every = results.measure(measure)
    every = every[every["validation"] == validation]
    found = {name: label for name, label in surrogates.items() if name in set(every["surrogate"])}
    looks = style.lines(["", *surrogates])  # without the lightest hue
    drawing = Figure(figsize=(7.2, 3.0), layout="constrained")
    named = stand_ins(results, list(printed))
    both = zip(named, printed.values(), strict=True)
    measured = {one: of_dataset for one, of_dataset in both if one[0] in set(every["dataset"])}
    axes, shown = drawing.subplots(1, len(measured), sharey=True, squeeze=False)[0], list(measured)
    for axis, ((name, title), of_dataset) in zip(axes, measured.items(), strict=True):
        draw(axis, every[every["dataset"] == name], found, looks)
        for surrogate, tau in of_dataset.items():
            mark = looks[surrogate] | {"markerfacecolor": "white", "linestyle": "none"}
            axis.plot(PLACE * every["observations"].max(), tau, clip_on=False, **mark)
        axis.set(title=title, xlabel="observations")
    axes[0].set_ylabel("Kendall's tau")
    style.legend_above(drawing, axes[0])
    missing = [label for name, label in surrogates.items() if name not in found]
    left_out = f"Left out: {', '.join(missing)}; its library was not installed (the extra boosting)."
    return drawing, [
        *_coverage(results, every, validation, named),
        *[left_out] * bool(missing),
        f"With {every['observations'].max()} observations: {'; '.join(_ends(every, found, shown))}.",
        *notes,
    ]


def draw(axis: Axes, rows: pd.DataFrame, labels: dict[str, str], looks: dict[str, dict]) -> None:
    """Draw the means over repetitions as lines, with bands of one standard deviation (divisor n - 1).

    rows: frame of the measure for one data set. labels: surrogate -> label. looks: surrogate -> line properties.
    """
    taus = rows.groupby(["observations", "surrogate"])["value"]
    mean, sd = taus.mean().unstack(), taus.std().unstack().fillna(0)
    for surrogate, label in labels.items():
        line, look = mean[surrogate].dropna(), looks[surrogate]
        spread = sd[surrogate].reindex(line.index)
        axis.plot(line.index, line, label=label, **look)
        axis.fill_between(line.index, line - spread, line + spread, color=look["color"], alpha=0.15, linewidth=0)


def _coverage(results, rows, validation, named):
    """Sentences on the data sets of `named` (name, title) and their repetitions, and on those without rows."""
    repetitions = rows.groupby("dataset")["repetition"].nunique().reindex([name for name, _ in named])
    absent = [title for name, title in named if pd.isna(repetitions[name])]
    measured = repetitions.dropna().astype(int)
    size = caption.size(len(measured), measured, results.planned(validation))
    without = [f"Not measured: {', '.join(absent)}."] if absent else []
    return [f"{VALIDATIONS[validation].capitalize()}: {size}.", *without]


def _ends(rows, labels, shown):
    """Phrases (list) on the mean taus with all observations, one per data set."""
    last = rows[rows["observations"] == rows["observations"].max()]
    means = last.groupby(["dataset", "surrogate"])["value"].mean()
    return [
        f"{title} {', '.join(f'{label} {means[name, one]:.2f}' for one, label in labels.items())}"
        for name, title in shown
    ]
