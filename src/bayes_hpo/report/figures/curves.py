"""Errors and ranks by trial, with methods paired at every step: figures 3.3 and 5.7 of the thesis."""

from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.outcomes.kinds import PERCENT
from bayes_hpo.report import caption, left_out
from bayes_hpo.report.comparison import as_printed, beside_published, scored, shared
from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results
from bayes_hpo.stats.ranks import ranks

STEP = ["iteration", "dataset"]
MARK_DISTANCE = 0.03  # between published marks, as a share of the budget
PANELS = {"validation_loss": "validation", "test_error": "test"}
MARKERS = "DPX<>*hdp"  # for methods that the text does not name
DASHES = ["-", (0, (4, 2)), (0, (1, 1)), (0, (6, 1, 1, 1))]  # to tell crossing grey lines apart
RANK_LABEL = "mean rank (1 is best)"
READING = (
    "Rank of the incumbent's mean error over repetitions, refitted for the test part, averaged over data sets. The "
    "printed curves are lost."
)


@dataclass(frozen=True)
class Curves:
    """Mean errors of methods at the steps at which all of them have a score.

    mean (n_steps, n_methods), unit of errors: index (iteration, dataset).
    repetitions (n_steps,): number of repetitions behind each row.
    absent: pairs (iteration, dataset) without a common repetition.
    """

    mean: pd.DataFrame
    repetitions: pd.Series
    absent: tuple


def curves(
    scores: pd.DataFrame,
    validation: str,
    methods: list[str],
    datasets: list[str],
    value: str = "test_error",
    factor: float = PERCENT.factor,
) -> Curves:
    """The Curves on `datasets`, for each of which all methods must have finished a common repetition.

    Before its first finished trial a method has no score, so a step averages the repetitions in which all methods have
    one. An iteration is drawn only if every data set has such a repetition, since a mean over fewer data sets does not
    belong to the same curve; `absent` lists the other steps.
    value: column of the scores to average.
    factor: of the unit of errors (`outcomes.kinds.Unit`).
    """
    rows = shared(scores, validation, methods)
    rows = rows[rows["dataset"].isin(datasets)]
    steps = pd.MultiIndex.from_product([sorted(rows["iteration"].unique()), datasets], names=STEP)
    paired = rows[rows.groupby([*STEP, "repetition"])["method"].transform("size") == len(methods)]
    absent = steps.difference(pd.MultiIndex.from_frame(paired[STEP]))
    drawn = paired[~paired["iteration"].isin(absent.get_level_values("iteration"))]
    return Curves(
        mean=factor * drawn.groupby([*STEP, "method"])[value].mean().unstack()[methods],
        repetitions=drawn.groupby(STEP)["repetition"].nunique(),
        absent=tuple(absent),
    )


def errors_and_ranks(results: Results, *, methods: list, note: str) -> tuple[Figure, list[str]]:
    """`errors_and_ranks_of`, including the study's methods that no table of chapter 3 prints."""
    return errors_and_ranks_of(results, methods=published.in_order(methods, results.methods), note=note)


def errors_and_ranks_of(results: Results, *, methods: list, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): lines are ours; marks to the right of the budget are the published end points.

    Errors on top, ranks below, a column per validation, over the same data sets; ranks are among the drawn methods, by
    mean error on each data set.
    methods: methods to draw. note: sentence on the marks.
    """
    early = set(results.scores.query("not final")["method"].unique()) or set(results.methods)
    drawn = [name for name in methods if name in early]
    ends = beside_published(results, drawn)
    lines = {
        name: curves(results.scores, name, drawn, list(end.mean.index), factor=results.unit.factor)
        for name, end in ends.items()
    }
    drawing = Figure(figsize=(7.2, 5.4), layout="constrained")
    axes = drawing.subplots(2, len(ends), sharex=True, sharey="row", squeeze=False)
    looks = style.lines(methods)  # independent of which methods are drawn
    for (top, bottom), (validation, end) in zip(axes.T, ends.items(), strict=True):
        errors = lines[validation].mean
        budget = errors.index.get_level_values("iteration").max()
        for axis, ours, printed_ends in ((top, errors, end.published), (bottom, ranks(errors), ranks(end.published))):
            for name, values in ours.groupby("iteration").mean().items():
                axis.plot(values.index, values, label=results.printed.method(name), **looks[name])
            draw_ends(axis, printed_ends.mean(), looks, budget, results.printed.method)
        top.set_title(VALIDATIONS[validation])
        bottom.set_xlabel("function evaluations")
    axes[0, 0].set_ylabel(f"mean test error ({results.unit_labels[0]})")
    axes[1, 0].set_ylabel(RANK_LABEL)
    style.legend_above(drawing, axes[0, 0])
    return drawing, [
        *caption.coverage(ends),
        *left_out.validations(VALIDATIONS, ends),
        *caption.steps(lines),
        *caption.copies(ends, results.copies),
        *([note] if any(end.published.size for end in ends.values()) else []),
        *left_out.methods(results.printed.method, methods, ends, scored(results.scores)),
    ]


def draw_ends(axis, ends, looks, budget, label=str):
    """Draw the published values (series by method) in a strip to the right of the lines, with their names below.

    label: function, method -> printed name.
    """
    ticks = MaxNLocator(5, integer=True).tick_values(0, budget)
    axis.set_xticks(ticks[ticks <= budget])
    axis.set_xlim(0, budget * (1 + (len(ends) + 3) * MARK_DISTANCE))
    axis.axvline(budget * (1 + MARK_DISTANCE), color="0.6", linewidth=0.6)
    names = {"transform": axis.get_xaxis_transform(), "size": 6, "rotation": 90, "ha": "center", "va": "top"}
    for position, (name, value) in enumerate(ends.items(), start=2):
        place = budget * (1 + position * MARK_DISTANCE)
        axis.plot(place, value, **{**looks[name], "linestyle": "none"})
        if axis.get_subplotspec().is_last_row():
            axis.text(place, -0.03, label(name), **names)
    if len(ends):
        place = {"transform": axis.get_xaxis_transform(), "size": 7, "ha": "center"}
        axis.text(budget * (1 + (len(ends) + 3) / 2 * MARK_DISTANCE), 1.02, "published", **place)


def ranks_of_study(results: Results, *, validation: str, named: list, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): ranks by trial, by validation loss on the left and by test error on the right.

    Lines are ours; marks to the right of the test panel are the published end points.
    named: printed names of the methods to emphasize because the text names them.
    note: sentence on the marks.
    """
    early, only_final = scored_early(results)
    compared, notes = as_printed(results, validation, early)
    methods, names = list(compared.mean), list(compared.mean.index)
    panels, test_only = _panels(compared.rows, methods)
    steps = {value: curves(compared.rows, validation, drawn, names, value) for value, drawn in panels.items()}
    drawing = Figure(figsize=(7.2, 4.2), layout="constrained")
    looks = study_lines(methods, [results.printed.method(name) for name in results.methods], named)
    axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, (value, part) in zip(axes, steps.items(), strict=True):
        means = ranks(part.mean).groupby("iteration").mean()
        for place, name in enumerate(means):
            axis.plot(means.index, means[name], label=name, markevery=style.spaced(len(means), place), **looks[name])
        axis.set(title=PANELS[value], xlabel="trials", xlim=(0, 1.02 * means.index.max()))
    axes[0].set_ylabel(RANK_LABEL)
    marks = compared.published.size > 0
    if marks:
        draw_ends(axes[-1], ranks(compared.published).mean(), looks, means.index.max())
    style.legend_above(drawing, axes[-1])
    shown = ", ".join(name for name in named if name in methods)
    prominent = [f"The methods that the text names ({shown}) stand out."] * bool(shown)
    undrawn = caption.steps({validation: steps["test_error"]})
    return drawing, [*notes, *only_final, *test_only, *undrawn, READING, *prominent, *([note] * marks)]


def scored_early(results):
    """(methods scored before the end, or all if none is; sentence (list) on the other methods)."""
    early = set(results.scores.query("not final")["method"].unique())
    only_final = set(results.scores["method"].unique()) - early if early else set()
    drawn = [name for name in results.methods if name not in only_final]
    others = [results.printed.method(name) for name in results.methods if name in only_final]
    note = f"Not drawn, scored at the end only: {', '.join(others)} (name them in `curves` of the study)."
    return drawn, [note] if others else []


def _panels(scores, methods):
    """(methods ranked in each panel: dict, column of the scores -> list; sentence (list) on the other methods).

    A method whose selector chose a configuration that was never evaluated has no validation loss; it is ranked by test
    error only.
    """
    complete = scores.groupby("method")[list(PANELS)].agg(lambda column: column.notna().all())
    panels = {value: [name for name in methods if complete.loc[name, value]] for value in PANELS}
    apart = [name for name in methods if name not in panels["validation_loss"]]
    if not apart:
        return panels, []
    if len(panels["validation_loss"]) < 2:
        return {"test_error": methods}, ["Test panel alone: fewer than two methods have all their validation losses."]
    others = caption.counted(len(methods) - len(apart), "other method")
    alone = f"Test panel alone: {', '.join(apart)} (validation losses are missing)"
    return panels, [f"{alone}; the validation panel ranks the {others}."]


def study_lines(methods, every, named):
    """Line properties of each method: dict, name -> keyword arguments for plot; the named methods are emphasized.

    every: the study's methods, drawn or not, so that a method looks the same at any stage of a campaign.
    """
    strong = style.lines(["", *named])  # without the lightest hue
    weak = {}
    for place, name in enumerate(name for name in every if name not in named):
        marker, dashes = MARKERS[place % len(MARKERS)], DASHES[place % len(DASHES)]
        weak[name] = {"color": "0.45", "marker": marker, "linestyle": dashes, "linewidth": 0.8, "zorder": 1}
    return {name: strong.get(name) or weak[name] for name in methods}
