"""The final learners of a method's searches: figures 5.8 and 5.9 of the thesis."""

from itertools import cycle
from typing import Any

from matplotlib.figure import Figure

from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report import caption
from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results
from bayes_hpo.scores.choices import PREFIX

LOOKS = [  # fill and hatch of the learners, in order; distinguishable in grey
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
    chosen, notes = _final_learners(results, method, validation)
    share, count = 100 * chosen.mean(), chosen.sum()
    drawing = Figure(figsize=(4.8, 2.8), layout="constrained")
    axis = drawing.subplots()
    bars = axis.bar(share.index, share, color="#00539B", width=0.7)
    axis.bar_label(bars, [f"{number:.0f}" for number in count], fontsize=7)
    axis.grid(visible=False, axis="x")
    axis.set(ylabel="searches (%)", xlabel="final learner (above the bars: searches)")
    return drawing, [*notes, note]


def by_dataset(results: Results, *, method: str, validation: str, always: dict, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a stacked bar per data set in printed order, in percent of its repetitions.

    always: dict, printed data set -> the learner with which all its searches end in the document.
    """
    chosen, notes = _final_learners(results, method, validation)
    shares = 100 * chosen.groupby(level=0, sort=False).mean()  # (n_datasets, n_learners)
    drawing = Figure(figsize=(7.2, 3.4), layout="constrained")
    axis = drawing.subplots()
    below = 0 * shares.iloc[:, 0]
    for name, (fill, hatch) in zip(shares, cycle(LOOKS), strict=False):
        look: dict[str, Any] = {"color": fill, "hatch": hatch, "edgecolor": "0.25", "linewidth": 0.4, "width": 0.8}
        axis.bar(range(len(shares)), shares[name], bottom=below, label=name, **look)
        below = below + shares[name]
    axis.set_xticks(range(len(shares)), shares.index, rotation=60 if len(shares) > 12 else 0)
    axis.grid(visible=False, axis="x")
    axis.set(xlabel="data set", ylabel="repetitions (%)", ylim=(0, 100), xlim=(-0.6, len(shares) - 0.4))
    style.legend_above(drawing, axis)
    ends = {name: chosen.loc[name][learner] for name, learner in always.items() if name in shares.index}
    counts = [
        f"{name}, which in the document always ends with {always[name]}: {int(part.sum())} of {len(part)} here."
        for name, part in ends.items()
    ]
    return drawing, [*notes, *counts, note]


def _final_learners(results, method, validation):
    """(chosen, notes): the final learner of each search of a method, and the number of searches.

    chosen (n_searches, n_learners): 0 or 1, index (data set, repetition); data sets under printed names in printed
        order, learners in the order of the space.
    Raises: MissingResultsError without scores of the method.
    """
    rows, printed = results.choices(), results.printed
    rows = rows[(rows["method"] == method) & (rows["validation"] == validation)]
    label = printed.method(method)
    if rows.empty:
        raise MissingResultsError(
            f"no data set has scores of {label}, whose final learners this shows; {results.remake}"
        )
    learners = rows["quantity"].str.removeprefix(PREFIX)
    wide = rows.assign(quantity=learners).pivot(index=["dataset", "repetition"], columns="quantity", values="value")
    names = {name: printed.dataset(name) for name in printed.names if name in wide.index}
    chosen = wide.loc[list(names), list(learners.unique())].rename(index=names, level=0)
    counts = chosen.groupby(level=0).size()
    lacking = [printed.dataset(name) for name in printed.names if name not in names]
    return chosen, [
        f"{label}: {caption.counted(len(chosen), 'search', 'searches')}, "
        f"{caption.counted(len(counts), 'data set')} with {caption.counted(caption.span(counts), 'repetition')} each; "
        "final: the learner of the first trial with the lowest validation loss.",
        *([f"Left out: {caption.few(lacking)}; no scores there."] if lacking else []),
        *caption.not_comparable([name for name in printed.not_comparable if name in counts]),
    ]
