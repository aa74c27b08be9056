"""Test error and validation loss of the incumbent by trial on one data set: figures 2.4, 2.5 and 3.1 of the thesis."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import shared
from bayes_hpo.report.figures.curves import curves
from bayes_hpo.report.results import Results, stand_in
from bayes_hpo.scores.frames import remake

PARTS = {"test_error": "test", "validation_loss": "validation"}
LOOKS: dict[str, dict[str, Any]] = {
    "test": {"color": "#000000", "linestyle": "-"},
    "validation": {"color": "#00539B", "linestyle": (0, (4, 2))},
}
MARGIN = 0.1  # above and below the lines, as a share of their range
LEAST_HEIGHT = 1  # smallest range assumed for the margin, in the unit of errors


def by_trial(
    results: Results, *, dataset: str, validation: str, method: str, repetitions: int, note: str
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes) of a method's first repetitions on the published data set or its stand-in.

    Bands are standard deviations over repetitions (divisor n).
    repetitions: number of repetitions in the document. note: sentence on what the document observes.
    Raises: MissingResultsError without scores.
    """
    name, title = stand_in(results, dataset)
    every = errors(results, name, validation, method)
    first = every.query("repetition < @repetitions")
    drawn, available = (frame.index.unique("repetition") for frame in (first, every))
    mean, sd = first.groupby("iteration").mean(), first.groupby("iteration").std(ddof=0)
    budget, (symbol, _) = mean.index.max(), results.unit_labels
    trials = [t for t in dict.fromkeys((mean.index.min(), budget // 5, 2 * budget // 5, budget)) if t in mean.index]
    values = [f"{mean.loc[t, 'validation']:.2f} and {mean.loc[t, 'test']:.2f} {symbol} after {t}" for t in trials]
    drawing = draw(mean, sd, title, symbol)
    return drawing, [
        f"{title}: {VALIDATIONS[validation]}, {method}, {len(drawn)} of {len(available)} repetitions, the first; the "
        f"document made {repetitions}.",
        "Lines: means; bands: standard deviation over repetitions; a single one has none.",
        f"Validation and test error: {', '.join(values)} trials.",
        *_cut(drawing, mean),
        note,
    ]


def overfitting(results: Results, *, dataset: str, validation: str, method: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): means over the repetitions on one data set, with a band of one standard error.

    note: text that follows the name of the data set. Raises: MissingResultsError when there are no scores.
    """
    name, title = stand_in(results, dataset)
    both = errors(results, name, validation, method)
    mean, standard_error = both.groupby("iteration").mean(), both.groupby("iteration").sem()
    gap, (symbol, points) = mean["test"] - mean["validation"], results.unit_labels
    steps = curves(results.scores, validation, [method], [name])
    repetitions = caption.counted(len(both.index.unique("repetition")), "repetition")
    drawing = draw(mean, standard_error, title, symbol)
    return drawing, [
        f"{VALIDATIONS[validation].capitalize()}: 1 data set, {repetitions}.",
        *caption.steps({validation: steps}),
        f"{title}{note}",
        "Bands: standard error of the mean over repetitions; a single one has none. The document: mean of 10.",
        f"Test minus validation error: {gap.iloc[0]:.2f} {points} after {gap.index[0]} and {gap.iloc[-1]:.2f} after "
        f"{gap.index[-1]} function evaluations.",
        *_cut(drawing, mean),
    ]


def _cut(drawing, mean):
    """The sentence (list) on errors above the upper limit of the axis."""
    above = mean.index[(mean > drawing.axes[0].get_ylim()[1]).any(axis=1)]
    return [f"Cut: the axis ends below the errors after {above.max()} or fewer trials."] if len(above) else []


def errors(results: Results, dataset: str, validation: str, method: str) -> pd.DataFrame:
    """Errors of a method's finished searches on a data set: frame (n_runs, PARTS), unit of errors.

    Index (iteration, repetition).
    Raises: MissingResultsError when there are none.
    """
    rows = results.scores[results.scores["dataset"] == dataset]
    finished = shared(rows, validation, [method])
    if finished.empty:
        raise MissingResultsError(
            f"there are no {VALIDATIONS[validation]} scores of {method} on {dataset}; "
            f"{remake(results.study, results.scale)}"
        )
    index = finished.set_index(["iteration", "repetition"]).sort_index()
    return results.unit.factor * index[list(PARTS)].rename(columns=PARTS)


def draw(mean: pd.DataFrame, spread: pd.DataFrame, title: str, symbol: str) -> Figure:
    """Draw means as step functions, since an incumbent stays, with bands of their spread. symbol: of the unit.

    The axis limits ignore trial 1, a corner of the space with a far higher error.
    mean, spread (n_iterations, PARTS): index iteration.
    """
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    low, high = mean - spread, mean + spread
    for part, look in LOOKS.items():
        axis.plot(mean.index, mean[part], drawstyle="steps-post", label=part, **look)
        band = {"step": "post", "color": look["color"], "alpha": 0.2, "linewidth": 0}
        axis.fill_between(mean.index, low[part], high[part], **band)
    later = (mean.index > 1) | (len(mean) == 1)
    bottom, top = low.fillna(mean)[later].min(axis=None), high.fillna(mean)[later].max(axis=None)
    room = MARGIN * max(top - bottom, LEAST_HEIGHT)
    limits = {"xlim": (0, mean.index.max()), "ylim": (bottom - room, top + room)}
    axis.set(title=title, xlabel="trials", ylabel=f"error ({symbol})", **limits)
    axis.legend()
    return drawing
