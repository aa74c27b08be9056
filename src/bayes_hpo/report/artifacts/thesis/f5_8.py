"""Thesis, figure 5.8: with which learner the searches of GP-cond-ls end, over all data sets and repetitions."""

from matplotlib.figure import Figure

from bayes_hpo.report.cells import PERCENT
from bayes_hpo.report.figures import final_learners

TITLE = "Figure 5.8: final learners of GP-cond-ls over all data sets and repetitions"
THEIRS = "The document: rf and svm by a wide margin, the others about 5 or 10 % each; its bars are lost."


def figure(given):
    """(matplotlib figure, notes): a bar per learner, in percent of the searches."""
    chosen = final_learners.final_learners(given)
    share, count = PERCENT * chosen.mean(), chosen.sum()
    drawing = Figure(figsize=(4.8, 2.8), layout="constrained")
    axis = drawing.subplots()
    bars = axis.bar(share.index, share, color="#00539B", width=0.7)
    axis.bar_label(bars, [f"{number:.0f}" for number in count], fontsize=7)
    axis.grid(visible=False, axis="x")
    axis.set(ylabel="searches (%)", xlabel="final learner (above the bars: searches)")
    return drawing, [*final_learners.coverage(given, chosen), THEIRS]
