"""Probabilities that one method is better than another, and expected ranks, by trial (Lacoste et al. 2014, 6.3)."""

from collections.abc import Callable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayes_hpo.documents import published
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import compare
from bayes_hpo.report.figures import style
from bayes_hpo.report.paired import Paired, absent, in_order
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.win_frequencies import substitutes

READING = (
    "Left: probability that the first is better on most data sets (Poisson binomial test, mass above half of them and "
    "half of that at half; its chance on a data set is {chance}). Right: expected rank among the methods; the points "
    "right of the last trial are published, of its last tenth. Both are means over repetitions that have all data sets."
)
CHANCES = {
    "by_rows": "from the numbers of test rows on which one of the two errs alone",
    "by_weights": "by Bayesian bootstraps of its test rows, our choice: the document is silent about regression",
}

BESIDE = 1.04  # position of the printed ranks, as a multiple of the trials


def probabilities_and_ranks(
    *studies: Results,
    methods: list[str],
    pairs: list[list[str]],
    document: str,
    spaces: dict[str, str],
    validation: str,
    chance: str,
) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a row per space, with the probability of each pair on the left, ranks on the right.

    studies: one per space with scores.
    pairs: (method, against) of the lines on the left.
    spaces: study -> name of the space in the document, in printed order.
    chance: as in `Paired.of`.
    """
    drawing = Figure(figsize=(7.2, 0.5 + 1.9 * len(studies)), layout="constrained")
    axes = drawing.subplots(len(studies), 2, sharex=True, squeeze=False)
    notes = absent(studies, spaces)
    for (left, right), (space, results) in zip(axes, in_order(studies, spaces), strict=True):
        paired = Paired.of(results, methods, validation, chance)
        notes += [f"{space}: {n}" for n in caption.coverage(compare(results, methods, [validation], paired.scores))]
        tests = paired.pairs([(method, other) for method, other in pairs])
        label = results.printed.method
        looks = style.lines(map(label, reversed(methods)))  # the first method is drawn last, on top
        _draw_probabilities(left, tests, pairs, label, looks)
        left.set_ylabel(f"{space}\nprobability")
        ends = published.win_frequencies(document)[space][1]
        _draw_ranks(right, paired.ranks().rename(columns=label), ends, looks)
    for axis in axes[-1]:
        axis.set_xlabel("trials")
    for axis in axes[0]:
        axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return drawing, [*notes, READING.format(chance=CHANCES[chance]), substitutes(studies)]


def _draw_probabilities(axis: Axes, tests: pd.DataFrame, pairs: list[list[str]], label: Callable, looks: dict) -> None:
    """Draw a line per pair: the mean over repetitions of the probability that its first method is better, by trial.

    It has the look of the second method, dashed unless the first method is the last of `looks`.
    """
    mean, subject = tests.groupby(["method", "against", "iteration"])["probability"].mean(), list(looks)[-1]
    for place, (method, other) in enumerate(pairs):
        values, name = mean.loc[method, other], f"{label(method)} > {label(other)}"
        dashed = {} if label(method) == subject else {"linestyle": style.DASHED, "markerfacecolor": "white"}
        every = style.spaced(len(values), place)
        axis.plot(values.index, values, label=name, markevery=every, **looks[label(other)] | dashed)
    axis.axhline(0.5, color="0.6", linewidth=0.6)
    axis.set_ylim(-0.02, 1.02)


def _draw_ranks(axis: Axes, ranks: pd.DataFrame, ends: pd.Series, looks: dict) -> None:
    """Draw a line per method: the mean over repetitions of its expected rank, by trial, followed by the printed one."""
    steps = ranks.groupby("iteration").mean()
    for place, (name, look) in enumerate(looks.items()):
        axis.plot(steps.index, steps[name], label=name, markevery=style.spaced(len(steps), place), **look)
        axis.plot(BESIDE * steps.index.max(), ends[name], **{**look, "linestyle": "none"})
    axis.set_ylabel("expected rank")
