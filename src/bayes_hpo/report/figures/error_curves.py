"""Test error and rank by function evaluation, hold-out and 5-fold: figure 3.3 of the thesis."""

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import beside_published
from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.curves import curves
from bayes_hpo.stats.ranks import ranks

STEP = 0.03  # between published marks, of the budget


def figure(results, *, methods: list, note: str):
    """(matplotlib figure, notes): lines are ours, the marks right of the budget the published end points.

    Both are over the same data sets, ranks among the drawn methods in each data set from the mean errors.
    methods: those that the document draws. note: a sentence on the marks.
    """
    traced = set(results.scores.query("not final")["method"]) or set(results.methods)
    drawn = [name for name in published.in_order(methods, results.methods) if name in traced]
    ends = beside_published(results, drawn)
    lines = {name: curves(results.scores, name, drawn, list(end.mean.index)) for name, end in ends.items()}
    drawing = Figure(figsize=(7.2, 5.4), layout="constrained")
    axes = drawing.subplots(2, len(ends), sharex=True, sharey="row", squeeze=False)
    looks = style.lines(list(dict.fromkeys([*methods, *drawn])))  # the same, whichever are drawn
    for (top, bottom), (validation, end) in zip(axes.T, ends.items(), strict=True):
        errors = lines[validation].mean
        draw_lines(top, errors.groupby("iteration").mean(), looks)
        draw_lines(bottom, ranks(errors).groupby("iteration").mean(), looks)
        draw_ends(top, end.published.mean(), looks)
        draw_ends(bottom, ranks(end.published).mean(), looks)
        top.set_title(VALIDATIONS[validation])
        draw_axis(bottom, errors.index.get_level_values("iteration").max())
    axes[0, 0].set_ylabel("mean test error (%)")
    axes[1, 0].set_ylabel("mean rank (1 is best)")
    style.legend_above(drawing, axes[0, 0])
    return drawing, [
        *caption.coverage(ends),
        *caption.steps(lines),
        *caption.copies(ends, results.copies),
        note,
        *caption.absent(results, methods, drawn),
    ]


def draw_lines(axis, means, looks):
    """One line per method. means: frame, index iteration, a column per method."""
    for name, values in means.items():
        axis.plot(values.index, values, label=printed(name), **looks[name])


def draw_ends(axis, ends, looks):
    """The published value of each method beside the others in a strip right of the lines. ends: series by method."""
    budget = max(line.get_xdata().max() for line in axis.lines)
    axis.axvline(budget * (1 + STEP), color="0.6", linewidth=0.6)
    for position, (name, value) in enumerate(ends.items(), start=2):
        axis.plot(budget * (1 + position * STEP), value, **{**looks[name], "linestyle": "none"})
    if len(ends):
        axis.text(budget * (1 + 5 * STEP), 1.02, "published", transform=axis.get_xaxis_transform(), size=7, ha="center")


def draw_axis(axis, budget):
    """Label the function evaluations up to the budget, and leave room for the strip of published ends."""
    ticks = MaxNLocator(5, integer=True).tick_values(0, budget)
    axis.set_xticks(ticks[ticks <= budget])
    axis.set_xlim(0, budget * (1 + 9 * STEP))
    axis.set_xlabel("function evaluations")
