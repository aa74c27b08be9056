"""The lowest validation errors of methods up to each trial: figures 3 and 4 of Shen et al. 2022 (D31)."""

from collections.abc import Callable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayes_hpo.report import caption
from bayes_hpo.report.comparison import as_printed, covering, shared
from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.curves import RANK_LABEL, curves, draw_ends, scored_early, study_lines
from bayes_hpo.report.results import Results, stand_ins
from bayes_hpo.stats.ranks import ranks

SEARCH = ["dataset", "repetition", "validation", "method"]
RUNNING = (
    "Validation errors: the lowest so far of what a method selects after each trial, a model or an ensemble (D31)."
)


def best_so_far(scores: pd.DataFrame, errors: pd.DataFrame) -> pd.DataFrame:
    """The scores that have a measured validation error, with the lowest one up to each trial as validation loss.

    scores: frame of `Results.scores`, whose validation losses are those of single models.
    errors: frame of `measures.selection_errors`.
    """
    lowest = errors[[*SEARCH, "iteration"]].assign(validation_loss=errors["value"] / 100)
    return scores.drop(columns="validation_loss").merge(lowest, on=[*SEARCH, "iteration"])


def unmeasured(results: Results, errors: pd.DataFrame, validation: str) -> list[str]:
    """The sentence (list) on the methods that have scores on a data set, but no measured validation error there.

    errors: as in `best_so_far`.
    """
    scores = results.scores[results.scores["final"] & (results.scores["validation"] == validation)]
    measured = pd.MultiIndex.from_frame(errors[SEARCH])
    without = scores[~pd.MultiIndex.from_frame(scores[SEARCH]).isin(measured)]
    labels = without["method"].map(results.printed.method)
    parts = [
        f"{', '.join(of_dataset.unique())} on {results.printed.dataset(name)}"
        for name, of_dataset in labels.groupby(without["dataset"], sort=False)
    ]
    return [f"Scored, but without a measured validation error: {'; '.join(parts)}."] if parts else []


def validation_ranks(
    results: Results, *, measure: str, validation: str, named: list, leader: str, printed: dict[str, float], notes: list
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): mean ranks of all methods by the lowest validation error so far.

    measure: name of the measure (`measures.selection_errors`).
    named: printed names of the methods to emphasize.
    leader: the method that leads in the document.
    printed: printed method -> its rank after the last trial, drawn only if all methods of the study are ranked.
    """
    early, only_final = scored_early(results)
    errors = results.measure(measure)
    compared, coverage = as_printed(results, validation, early, best_so_far(results.scores, errors))
    methods, names = list(compared.mean), list(compared.mean.index)
    steps = curves(compared.rows, validation, methods, names, "validation_loss")
    means = ranks(steps.mean).groupby("iteration").mean()
    looks = study_lines(methods, [results.printed.method(name) for name in results.methods], named)
    drawing = Figure(figsize=(7.2, 4.2), layout="constrained")
    axis = drawing.subplots()
    draw(axis, means, looks)
    axis.set(xlabel="trials", ylabel=RANK_LABEL, xlim=(0, 1.02 * means.index.max()))
    ends = pd.Series(printed) if len(methods) == len(results.methods) else pd.Series(dtype=float)
    if len(ends):
        draw_ends(axis, ends, looks, means.index.max())
    style.legend_above(drawing, axis)
    last = ", ".join(f"{name} {rank:.2f}" for name, rank in means.iloc[-1].sort_values().items())
    ours = f"After {means.index.max()} trials: {last}. {leads_from(means, leader)}"
    without = unmeasured(results, errors, validation)
    return drawing, [*coverage, *without, *only_final, *caption.steps({validation: steps}), RUNNING, ours, *notes]


def leads_from(means: pd.DataFrame, leader: str) -> str:
    """The sentence on the trial from which the leader keeps the lowest mean rank until the end."""
    if leader not in means:
        return f"{leader} is not compared."
    behind = means.drop(columns=leader).min(axis=1) <= means[leader]
    if behind.iloc[-1]:
        return f"{leader} does not have the lowest mean rank at the end."
    first = means.index[0] if not behind.any() else means.index[means.index > behind[behind].index[-1]][0]
    return f"{leader} has the lowest mean rank from trial {first} on."


def errors_and_test_ranks(
    results: Results,
    *,
    measure: str,
    validation: str,
    datasets: list[str],
    methods: list[str],
    ranked: list[str],
    leader: str,
    notes: list,
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): lowest validation errors so far on two data sets, and mean ranks by test error.

    measure: one of `measures.selection_errors`. methods: for the errors. ranked: methods for the ranks.
    leader: method whose speed is compared with that of the ranked ones (4.3; D27).
    """
    looks, label = style.lines(methods), results.printed.method
    drawing = Figure(figsize=(7.2, 2.9), layout="constrained")
    axes = drawing.subplots(1, len(datasets) + 1)
    errors, panels = results.measure(measure), {}
    scores = best_so_far(results.scores, errors)
    for axis, (name, title) in zip(axes, stand_ins(results, datasets), strict=False):
        mean, sd, repetitions = by_trial(scores[scores["dataset"] == name], validation, methods)
        draw_errors(axis, mean, sd, looks, label)
        axis.set_title(title.replace(", ", ",\n"))
        panels[title] = mean, repetitions
    early = [name for name in ranked if name in scored_early(results)[0]]
    compared, coverage = as_printed(results, validation, early)
    steps = curves(compared.rows, validation, list(compared.mean), list(compared.mean.index))
    draw(axes[-1], ranks(steps.mean).groupby("iteration").mean(), {label(name): looks[name] for name in methods})
    axes[-1].set(title="test", xlabel="trials", ylabel=RANK_LABEL)
    style.legend_above(drawing, axes[0])
    sentences = [_errors(panels, methods, label), f"Ranks: {coverage[0][0].lower()}{coverage[0][1:]}", *coverage[1:]]
    sentences += [*unmeasured(results, errors, validation), *caption.steps({validation: steps}), RUNNING]
    return drawing, [*sentences, _speeds(panels, leader, ranked, label), *notes]


def _errors(panels, methods, label):
    """The sentence on the panels of errors and the methods that each lacks. panels: title -> (mean, repetitions)."""
    parts = []
    for title, (mean, repetitions) in panels.items():
        absent = ", ".join(label(name) for name in methods if name not in mean)
        parts.append(f"{title} ({caption.counted(repetitions, 'repetition')}){' without ' * bool(absent)}{absent}")
    return f"Errors: {'; '.join(parts)}."


def _speeds(panels, leader, ranked, label):
    """The sentence on the speed of the leader beside the other ranked methods in each panel of errors."""
    others = [name for name in ranked if name != leader]
    never = f"-: {label(leader)} never does, or a method has no scores"
    parts = [
        f"{title} {', '.join(f'{label(name)} {speed_up(mean, leader, name)}' for name in others)}"
        for title, (mean, _) in panels.items()
    ]
    return f"Times as many trials as {label(leader)} to reach their last error ({never}): {'; '.join(parts)}."


def by_trial(scores: pd.DataFrame, validation: str, methods: list[str]) -> tuple[pd.DataFrame, pd.DataFrame, int]:
    """(mean, sd, number of repetitions) of the lowest validation errors so far, for the methods with scores.

    mean, sd (n_trials, n_methods), percent: over the common repetitions, from the first trial at which all methods have
        a score; sd has the divisor n - 1, and is 0 for a single repetition.
    scores: frame of `best_so_far` for one data set.
    """
    covered = covering(scores, validation, [name for name in methods if name in set(scores["method"])])
    errors = shared(scores, validation, covered)
    wide = errors.pivot(index="iteration", columns=["method", "repetition"], values="validation_loss").dropna()
    by_method = (100 * wide).T.groupby(level="method")
    mean, sd = (frame.T[covered] for frame in (by_method.mean(), by_method.std(ddof=1).fillna(0)))
    return mean, sd, wide.columns.get_level_values("repetition").nunique()


def speed_up(mean: pd.DataFrame, leader: str, other: str) -> str:
    """Trials that another method needs to reach its last mean error, over those of the leader: "1.50"; "-" if never.

    mean (n_trials, n_methods): lowest errors so far, index trial.
    """
    if not {leader, other} <= set(mean):
        return "-"
    level = mean[other].iloc[-1]
    reached = [mean.index[mean[name] <= level] for name in (other, leader)]
    return f"{reached[0][0] / reached[1][0]:.2f}" if len(reached[1]) else "-"


def draw(axis: Axes, values: pd.DataFrame, looks: dict, label=str) -> None:
    """Draw the columns of values (n_trials, n_methods) as lines with a few markers. label: function, column -> name."""
    for place, name in enumerate(values):
        axis.plot(
            values.index, values[name], label=label(name), markevery=style.spaced(len(values), place), **looks[name]
        )
    axis.xaxis.set_major_locator(MaxNLocator(5, integer=True))


def draw_errors(axis: Axes, mean: pd.DataFrame, sd: pd.DataFrame, looks: dict, label: Callable) -> None:
    """Draw mean errors (n_trials, n_methods), percent, with bands of one sd, on limits of the later trials."""
    draw(axis, mean, looks, label)
    for name in mean:
        low, high = mean[name] - sd[name], mean[name] + sd[name]
        axis.fill_between(mean.index, low, high, color=looks[name]["color"], alpha=0.12, linewidth=0)
    axis.set(xlabel="trials", ylabel="lowest validation error (%)", ylim=limits(mean))


def limits(mean: pd.DataFrame) -> tuple[float, float]:
    """Limits of an error axis, from the trials after the first tenth, with a margin."""
    late = mean.iloc[len(mean) // 10 :]
    low, high = late.min(axis=None), late.max(axis=None)
    room = 0.1 * max(high - low, 1e-3)
    return low - room, high + room
