"""The learners with which the searches of one method end: figures 5.8 and 5.9 of the thesis."""

import pandas as pd
from matplotlib.figure import Figure

from bayes_hpo.errors import RunError
from bayes_hpo.outcomes.kinds import PERCENT
from bayes_hpo.report import caption
from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results
from bayes_hpo.scores.choices import PREFIX

LOOKS = [  # fill and hatch of the learners in their order: told apart in grey by both
    ("#E6E6E6", ""),
    ("#0072B2", ""),
    ("#56B4E9", "////"),
    ("#F0E442", ""),
    ("#D55E00", ""),
    ("#CC79A7", "...."),
    ("#FFFFFF", "xxxx"),
    ("#999999", ""),
    ("#FFFFFF", "----"),
]


def overall(results: Results, *, method: str, validation: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a bar per learner, in percent of the searches. note: what the document observes."""
    chosen = final_learners(results, method, validation)
    share, count = PERCENT.factor * chosen.mean(), chosen.sum()
    drawing = Figure(figsize=(4.8, 2.8), layout="constrained")
    axis = drawing.subplots()
    bars = axis.bar(share.index, share, color="#00539B", width=0.7)
    axis.bar_label(bars, [f"{number:.0f}" for number in count], fontsize=7)
    axis.grid(visible=False, axis="x")
    axis.set(ylabel="searches (%)", xlabel="final learner (above the bars: searches)")
    return drawing, [*coverage(results, chosen, method), note]


def by_dataset(results: Results, *, method: str, validation: str, always: dict, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a stacked column per data set in the printed order, in percent of its repetitions.

    always: dict, printed data set -> the learner with which it always ends in the document.
    """
    chosen = final_learners(results, method, validation)
    drawing = Figure(figsize=(7.2, 3.4), layout="constrained")
    axis = drawing.subplots()
    draw(axis, shares(chosen))
    style.legend_above(drawing, axis)
    counts = [
        f"{name}, which in the document always ends with {learner}: {int(ends.sum())} of {len(ends)} here."
        for name, learner in always.items()
        if name in chosen.index
        for ends in [pd.Series(chosen.loc[name][learner])]
    ]
    return drawing, [*coverage(results, chosen, method), *counts, note]


def final_learners(results, method, validation):
    """Which learner each search of a method chose: frame of 0 and 1, index (data set, repetition), learners in order.

    Data sets have their printed names and order. Raises: RunError without scores of the method.
    """
    rows = results.choices()
    rows = rows[(rows["method"] == method) & (rows["validation"] == validation)]
    if rows.empty:
        label = results.printed.method(method)
        raise RunError(f"no data set has scores of {label}, whose final learners this shows; {results.remake}")
    learners = rows["quantity"].str.removeprefix(PREFIX)
    wide = rows.assign(quantity=learners).pivot(index=["dataset", "repetition"], columns="quantity", values="value")
    names = {name: results.printed.dataset(name) for name in results.printed.names if name in wide.index}
    return wide.loc[list(names), list(learners.unique())].rename(index=names, level=0)


def shares(chosen):
    """Percent of the repetitions of each data set that end with each learner: frame (n_datasets, n_learners)."""
    return PERCENT.factor * chosen.groupby(level=0, sort=False).mean()


def coverage(results, chosen, method):
    """Sentences on the method, the searches that are counted and the data sets that they lack."""
    counts, printed = chosen.groupby(level=0).size(), results.printed
    lacking = [name for name in map(printed.dataset, printed.names) if name not in counts]
    return [
        f"{printed.method(method)}: {caption.counted(len(chosen), 'search', 'searches')}, "
        f"{caption.counted(len(counts), 'data set')} with {caption.counted(caption.span(counts), 'repetition')} each; "
        "final: the learner of the first trial with the lowest validation loss.",
        *([f"Left out: {caption.few(lacking)}; no scores there."] if lacking else []),
        *caption.not_comparable([name for name in printed.not_comparable if name in counts]),
    ]


def draw(axis, shares):
    """shares: frame (n_datasets, n_learners) in percent."""
    below = 0 * shares.iloc[:, 0]
    for place, name in enumerate(shares):
        fill, hatch = LOOKS[place % len(LOOKS)]
        look = {"color": fill, "hatch": hatch, "edgecolor": "0.25", "linewidth": 0.4, "width": 0.8}
        axis.bar(range(len(shares)), shares[name], bottom=below, label=name, **look)
        below = below + shares[name]
    axis.set_xticks(range(len(shares)), shares.index, rotation=60 if len(shares) > 12 else 0)
    axis.grid(visible=False, axis="x")
    axis.set(xlabel="data set", ylabel="repetitions (%)", ylim=(0, 100), xlim=(-0.6, len(shares) - 0.4))
