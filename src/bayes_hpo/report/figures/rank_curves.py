"""Mean rank of the incumbent by trial, validation on the left, test on the right: figure 5.7 of the thesis."""

from matplotlib.figure import Figure

from bayes_hpo.report import caption
from bayes_hpo.report.comparison import as_printed
from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.curves import curves
from bayes_hpo.stats.ranks import ranks

PANELS = {"validation_loss": "validation", "test_error": "test"}
OTHERS = "DPX<>*hdp"  # markers
DASHES = ["-", (0, (4, 2)), (0, (1, 1)), (0, (6, 1, 1, 1))]  # told apart where grey lines cross
MARKS = 8  # on a line
READING = (
    "Rank of the incumbent's mean error over repetitions, refitted for the test part, averaged over data sets. The "
    "printed curves are lost."
)


def figure(results, *, validation: str, named: list, note: str):
    """(matplotlib figure, notes): lines are ours, the marks right of the test panel the published end points.

    named: methods, as printed, that stand out because the text names them. note: a sentence on the marks.
    """
    traced, untraced = before_the_end(results)
    compared, notes = as_printed(results, validation, traced)
    methods, names = list(compared.mean), list(compared.mean.index)
    panels, alone = ranked(compared.rows, methods)
    steps = {value: curves(compared.rows, validation, drawn, names, value) for value, drawn in panels.items()}
    drawing = Figure(figsize=(7.2, 4.2), layout="constrained")
    looks = lines(methods, [results.printed.method(name) for name in results.methods], named)
    axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, (value, part) in zip(axes, steps.items(), strict=True):
        means = ranks(part.mean).groupby("iteration").mean()
        draw(axis, means, looks)
        axis.set(title=PANELS[value], xlabel="trials", xlim=(0, 1.02 * means.index.max()))
    axes[0].set_ylabel("mean rank (1 is best)")
    marks = compared.published.size > 0
    if marks:
        draw_ends(axes[-1], ranks(compared.published).mean(), looks, means.index.max())
    style.legend_above(drawing, axes[-1])
    shown = ", ".join(name for name in named if name in methods)
    reading = [
        READING,
        *([f"The methods that the text names ({shown}) stand out."] if shown else []),
        *([note] * marks),
    ]
    return drawing, [*notes, *untraced, *alone, *caption.steps({validation: steps["test_error"]}), *reading]


def before_the_end(results):
    """The methods but those scored at the end only, if not all are; a sentence (list) on these."""
    traced = set(results.scores.loc[~results.scores["final"], "method"])
    untraced = set(results.scores["method"]) - traced if traced else set()
    drawn = [name for name in results.methods if name not in untraced]
    others = [results.printed.method(name) for name in results.methods if name in untraced]
    note = f"Not drawn, scored at the end only: {', '.join(others)} (name them in `curves` of the study)."
    return drawn, [note] if others else []


def ranked(scores, methods):
    """The methods that each panel ranks (dict, column of the scores -> list); a sentence (list) on the others.

    A method that lacks a validation loss, as its selector chose what was never evaluated, is ranked by its test errors.
    """
    whole = scores.groupby("method")[list(PANELS)].agg(lambda column: column.notna().all())
    panels = {value: [name for name in methods if whole.loc[name, value]] for value in PANELS}
    apart = [name for name in methods if name not in panels["validation_loss"]]
    if not apart:
        return panels, []
    if len(panels["validation_loss"]) < 2:
        return {"test_error": methods}, ["Test panel alone: fewer than two methods have all their validation losses."]
    others = caption.counted(len(methods) - len(apart), "other method")
    alone = f"Test panel alone: {', '.join(apart)} (validation losses are missing)"
    return panels, [f"{alone}; the validation panel ranks the {others}."]


def lines(methods, every, named):
    """Line properties of each method: dict, name -> keyword arguments for plot; the named ones stand out.

    every: the study's methods, drawn or not, so that a method looks the same in any part of a campaign.
    """
    strong = style.lines(["", *named])  # without the lightest hue
    others = [name for name in every if name not in named]
    weak = {
        name: {
            "color": "0.45",
            "marker": OTHERS[place % len(OTHERS)],
            "linestyle": DASHES[place % len(DASHES)],
            "linewidth": 0.8,
            "zorder": 1,
        }
        for place, name in enumerate(others)
    }
    return {name: strong.get(name) or weak[name] for name in methods}


def draw(axis, means, looks):
    """One line per method. means: frame, index iteration, a column per method."""
    for place, name in enumerate(means):
        every = max(1, len(means) // MARKS)
        axis.plot(means.index, means[name], label=name, markevery=(place % every, every), **looks[name])


def draw_ends(axis, ends, looks, budget):
    """The published mean rank of each method beside the end of its line. ends: series by method."""
    axis.axvline(budget, color="0.6", linewidth=0.6)
    for name, value in ends.items():
        axis.plot(1.05 * budget, value, **{**looks[name], "linestyle": "none"})
    axis.set_xlim(0, 1.1 * budget)
    axis.set_xticks([tick for tick in axis.get_xticks() if tick <= budget])
