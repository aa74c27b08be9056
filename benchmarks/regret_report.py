"""The tables and the figure of `benchmarks.regret`."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from bayes_hpo.report.figures import style
from bayes_hpo.report.tables.markdown import markdown
from benchmarks.comparison import excess
from benchmarks.lines import LINES
from benchmarks.tasks import TASKS


def tables(comparison):
    """Regrets, averages, ranks and tests of non-inferiority as README.md shows them."""
    p, among_runs, among_tasks = comparison.significance()
    return "\n\n".join(
        [
            markdown("median regret at the end", comparison.medians().map("{:.2g}".format)),
            markdown("score averaged over trials", comparison.mean_averages().map("{:.2f}".format)),
            markdown("mean rank at the end", comparison.mean_ranks().map("{:.2f}".format)),
            f"Friedman's test over all runs: p = {p:.2g}; critical difference of two mean ranks {among_runs:.2f} over "
            f"all runs, every run a block, and {among_tasks:.2f} over the tasks.",
            markdown("non-inferior?", non_inferiority(comparison)),
            f"Runs so far: {', '.join(_runs(comparison))}. Revision {', '.join(comparison.revisions)}.",
        ]
    )


def _runs(comparison):
    """How many of its runs every task has (list of text)."""
    return [f"{task} {len(comparison.final(task))} of {TASKS[task].runs}" for task in comparison.curves]


def non_inferiority(comparison):
    """Mean difference of scores, its upper bound, and whether that lies below the margin: a frame of texts by task."""
    found = {}
    for task in comparison.curves:
        best = comparison.best_peer(task)
        scores = comparison.final(task).assign(**{"best GP peer": comparison.final(task)[best]})
        row = {"runs": str(len(scores)), "margin": f"{TASKS[task].margin:.2f}", "best GP peer": best}
        for one, other in (("fast", "best GP peer"), ("published", "best GP peer"), ("fast", "published")):
            mean, bound = excess(scores[one], scores[other])
            verdict = "yes" if bound < TASKS[task].margin else "no"
            row[f"{one} - {other}"] = f"{mean:+.2f} (< {bound:+.2f}) {verdict}"
        found[task] = row
    return pd.DataFrame(found).T


def draw(comparison, path):
    """Median simple regret by trial, a panel for each task, written as PNG."""
    with style.house():
        figure, axes = plt.subplots(1, len(comparison.curves), figsize=(11, 2.8), layout="constrained", squeeze=False)
        for axis, (task, curves) in zip(axes[0], comparison.curves.items(), strict=True):
            draw_curves(axis, curves, TASKS[task])
            axis.set_title(f"{task}, {len(curves['fast'])} runs")
        axes[0, 0].set_ylabel("median simple regret")
        style.legend_above(figure, axes[0, 0])
        style.save(figure, path, "png")
        plt.close(figure)


def draw_curves(axis, curves, task):
    """Draw optimizer -> simple regret (runs, budget) of one task."""
    for name, regrets in curves.items():
        colour, dashes = LINES[name]
        medians = task.unit * np.median(regrets, axis=0)
        axis.plot(np.arange(1, task.budget + 1), medians, color=colour, linestyle=dashes, label=name)
    axis.set_yscale(**task.plotted)
    axis.set_xlabel("trial")
