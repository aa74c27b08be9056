"""Test error and validation loss of the incumbent by trial on one data set: figures 2.4, 2.5, 3.1 of the thesis."""

from dataclasses import replace

import seaborn
from matplotlib.figure import Figure

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import RunError
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import PERCENT, compare, shared
from bayes_hpo.report.figures.curves import curves
from bayes_hpo.report.results import Results
from bayes_hpo.scores.frames import remake

PARTS = {"test_error": "test", "validation_loss": "validation"}
LOOKS = {
    "test": {"color": "#000000", "linestyle": "-"},
    "validation": {"color": "#00539B", "linestyle": (0, (4, 2))},
}
WITH_ERROR_BANDS = {  # of figure 3.1, for seaborn
    "palette": {"test": "#000000", "validation": "#56B4E9"},
    "markers": {"test": "o", "validation": "s"},
    "dashes": {"test": "", "validation": (4, 2)},
    "markeredgewidth": 0,
    "err_kws": {"linewidth": 0, "alpha": 0.25},
}
MARGIN = 0.1  # above and below the lines, as a share of their height
LEAST_HEIGHT = 1  # percent point


def by_trial(
    results: Results, *, dataset: str, validation: str, method: str, repetitions: int, note: str
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) of a method's first repetitions on the published data set, or on another in its place.

    repetitions: how many the document made. note: a sentence on what it observes. Raises: RunError without scores.
    """
    name, title = stand_in(results, dataset)
    every = errors(results, name, validation, method)
    first = every[every.index.get_level_values("repetition") < repetitions]
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    draw(axis, first)
    axis.set_title(title)
    drawn, available = (frame.index.unique("repetition") for frame in (first, every))
    shown = f"{title}: {VALIDATIONS[validation]}, {method}, {len(drawn)} of {len(available)} repetitions, the first"
    return drawing, [f"{shown}; the document made {repetitions}.", *notes(first), note]


def overfitting(results: Results, *, dataset: str, validation: str, method: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): means over the repetitions of one data set, with a band of their standard error.

    note: what goes behind the name of the data set. Raises: RunError when there are no scores.
    """
    name, title = stand_in(results, dataset)
    both = errors(results, name, validation, method)
    alone = replace(results, datasets={name: results.datasets[name]})
    compared = compare(alone, [method], [validation], results.scores)
    steps = curves(results.scores, validation, [method], [name])
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    tidy = both.rename_axis(columns="part").stack().rename("error").reset_index()
    looks = WITH_ERROR_BANDS
    seaborn.lineplot(tidy, x="iteration", y="error", hue="part", style="part", errorbar="se", ax=axis, **looks)
    axis.set(title=title, xlabel="function evaluations", ylabel="mean error (%)", xlim=(0, None))
    seaborn.move_legend(axis, "best", title=None)
    mean = both.groupby("iteration").mean()
    gap = mean["test"] - mean["validation"]
    return drawing, [
        *caption.coverage(compared),
        *caption.steps({validation: steps}),
        f"{title}{note}",
        "Bands: standard error of the mean over repetitions; a single one has none. The document: mean of 10.",
        f"Test minus validation error: {gap.iloc[0]:.2f} points after {gap.index[0]} and {gap.iloc[-1]:.2f} after "
        f"{gap.index[-1]} function evaluations.",
    ]


def stand_in(results, published):
    """(name, title) of the data set to draw: the published one, or the largest of the suite in its place."""
    if published in results.datasets:
        return published, published
    name = max(results.datasets, key=results.sizes.get)
    return name, f"{name}, in place of {published}"


def errors(results, dataset, validation, method):
    """Frame of PARTS in percent, index (iteration, repetition), of the finished searches of a method on one data set.

    Raises: RunError when there are none.
    """
    rows = results.scores[results.scores["dataset"] == dataset]
    finished = shared(rows, validation, [method])
    if finished.empty:
        raise RunError(
            f"there are no {VALIDATIONS[validation]} scores of {method} on {dataset}; "
            f"{remake(results.study, results.scale)}"
        )
    index = finished.set_index(["iteration", "repetition"]).sort_index()
    return PERCENT * index[list(PARTS)].rename(columns=PARTS)


def draw(axis, errors):
    """The mean over repetitions as a line of steps, with a band of one standard deviation (divisor n).

    The limits are chosen without the first trial, which is far off: a corner of the space.
    """
    by_trial = errors.groupby("iteration")
    mean, sd = by_trial.mean(), by_trial.std(ddof=0)
    low, high = mean - sd, mean + sd
    for part, look in LOOKS.items():
        axis.plot(mean.index, mean[part], drawstyle="steps-post", label=part, **look)
        band = {"step": "post", "color": look["color"], "alpha": 0.2, "linewidth": 0}
        axis.fill_between(mean.index, low[part], high[part], **band)
    later = slice(1, None) if len(mean) > 1 else slice(None)
    bottom, top = low[later].min(axis=None), high[later].max(axis=None)
    room = MARGIN * max(top - bottom, LEAST_HEIGHT)
    axis.set(xlabel="trials", ylabel="error (%)", xlim=(0, mean.index.max()), ylim=(bottom - room, top + room))
    axis.legend()


def notes(errors):
    """Sentences on the bands and on the means at some trials: the first, a fifth, two fifths and all of the budget."""
    mean = errors.groupby("iteration").mean()
    budget = mean.index.max()
    trials = [t for t in dict.fromkeys((mean.index.min(), budget // 5, 2 * budget // 5, budget)) if t in mean.index]
    values = ", ".join(f"{mean.loc[t, 'validation']:.2f} and {mean.loc[t, 'test']:.2f} % after {t}" for t in trials)
    return [
        "Lines: means; bands: standard deviation over repetitions; a single one has none.",
        f"Validation and test error: {values} trials.",
    ]
