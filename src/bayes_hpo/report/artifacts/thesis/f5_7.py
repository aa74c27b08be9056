"""Thesis, figure 5.7: mean rank of the incumbent by trial, validation on the left, test on the right."""

from matplotlib.figure import Figure

from bayes_hpo.report import face
from bayes_hpo.report.comparison import VALIDATION, comparison
from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.curves import curves
from bayes_hpo.stats.ranks import ranks

TITLE = "Figure 5.7: mean rank among the methods of chapter 5 by trial, validation and test"
PANELS = {"validation_loss": "validation", "test_error": "test"}
NAMED = ["GP-cond-ls", "GP-matern-ls", "SMAC", "RS"]  # in the text; the document draws "some of the methods" (D5.11)
OTHERS = "DPX<>*hdp"  # markers
DASHES = ["-", (0, (4, 2)), (0, (1, 1)), (0, (6, 1, 1, 1))]  # told apart where grey lines cross
MARKS = 8  # on a line
READING = (
    "Rank of the incumbent's mean error over repetitions, refitted for the test part, averaged over data sets. The "
    "printed curves are lost."
)
NAMES = "The methods that the text names ({named}) stand out."
THEIRS = "Marks at the right: published, final ranks from the cells of table 5.2 on the same data sets."


def figure(given):
    """(matplotlib figure, notes): lines are ours, the marks right of the test panel the published end points."""
    traced, notes = before_the_end(given)
    found = comparison(given, VALIDATION, traced)
    methods, names = list(found.mean), list(found.mean.index)
    panels, apart = compared(found.scores, methods)
    steps = {value: curves(found.scores, VALIDATION, ranked, names, value) for value, ranked in panels.items()}
    drawing = Figure(figsize=(7.2, 4.2), layout="constrained")
    looks = lines(methods, [given.label(name) for name in given.methods])
    axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, (value, part) in zip(axes, steps.items(), strict=True):
        means = ranks(part.mean).groupby("iteration").mean()
        draw(axis, means, looks)
        axis.set(title=PANELS[value], xlabel="trials", xlim=(0, 1.02 * means.index.max()))
    axes[0].set_ylabel("mean rank (1 is best)")
    if found.published.size:
        draw_ends(axes[-1], ranks(found.published).mean(), looks, means.index.max())
    style.legend_above(drawing, axes[-1])
    named = ", ".join(name for name in NAMED if name in methods)
    told = [READING, *([NAMES.format(named=named)] if named else []), *([THEIRS] if found.published.size else [])]
    return drawing, [*found.notes, *notes, *apart, *face.steps({VALIDATION: steps["test_error"]}), *told]


def before_the_end(given):
    """The methods but those scored at the end only, if not all are; a sentence (list) on these."""
    traced = set(given.scores.loc[~given.scores["final"], "method"])
    untraced = set(given.scores["method"]) - traced if traced else set()
    drawn = [name for name in given.methods if name not in untraced]
    others = [given.label(name) for name in given.methods if name in untraced]
    said = f"Not drawn, scored at the end only: {', '.join(others)} (name them in `curves` of the study)."
    return drawn, [said] if others else []


def compared(scores, methods):
    """The methods that each panel ranks (dict, column of the scores -> list); a sentence (list) on the others.

    A method that lacks a validation loss, as its selector has chosen what was never tried, has its test errors ranked.
    """
    whole = scores.groupby("method")[list(PANELS)].agg(lambda column: column.notna().all())
    panels = {value: [name for name in methods if whole.loc[name, value]] for value in PANELS}
    apart = [name for name in methods if name not in panels["validation_loss"]]
    if not apart:
        return panels, []
    if len(panels["validation_loss"]) < 2:
        return {"test_error": methods}, ["Test panel alone: fewer than two methods have all their validation losses."]
    others = face.counted(len(methods) - len(apart), "other method")
    said = f"Test panel alone: {', '.join(apart)} (validation losses are missing)"
    return panels, [f"{said}; the validation panel ranks the {others}."]


def lines(methods, every):
    """Line properties of each method: dict, name -> keyword arguments for plot; those that the text names stand out.

    every: the study's methods, drawn or not, so that a method looks the same in any part of a campaign.
    """
    strong = style.lines(["", *NAMED])  # without the lightest hue
    others = [name for name in every if name not in NAMED]
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
