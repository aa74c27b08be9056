"""Thesis, figure 3.1: an example of overfitting, validation and test error of the incumbent by function evaluation."""

from dataclasses import replace

import seaborn
from matplotlib.figure import Figure

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import Fault
from bayes_hpo.report import face
from bayes_hpo.report.cells import PERCENT, shared
from bayes_hpo.report.figures.curves import curves

TITLE = "Figure 3.1: overfitting of the hold-out split by gp, validation and test error by function evaluation"
METHOD, VALIDATION = "gp", "holdout"
DATASET = "statlog-german-credit"
NAMED = ", which was named before any result was seen, because the document does not name its data set (D34)."
COLUMNS = {"test_error": "test", "validation_loss": "validation"}
LOOKS = {
    "palette": {"test": "#000000", "validation": "#56B4E9"},
    "markers": {"test": "o", "validation": "s"},
    "dashes": {"test": "", "validation": (4, 2)},
    "markeredgewidth": 0,
    "err_kws": {"linewidth": 0, "alpha": 0.25},
}


def figure(given):
    """(matplotlib figure, notes): means over the repetitions of one data set, with a band of their standard error."""
    name = DATASET if DATASET in given.datasets else max(given.datasets, key=lambda name: given.sizes.get(name, 0))
    title = name if name == DATASET else f"{name}, in place of {DATASET}"
    rows = given.scores[given.scores["dataset"] == name]
    finished = shared(rows, VALIDATION, [METHOD])
    if finished.empty:
        remake = f"make them with: snakemake --cores 2 {given.scale}_{given.study}"
        raise Fault(f"there are no {VALIDATIONS[VALIDATION]} scores of {METHOD} on {name}; {remake}")
    cells = replace(given, datasets=(name,)).cells(rows, [METHOD], [VALIDATION])
    steps = curves(rows, VALIDATION, [METHOD], [name])
    errors = PERCENT * finished.set_index(["iteration", "repetition"])[list(COLUMNS)].rename(columns=COLUMNS)
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    draw(axis, errors.rename_axis(columns="part").stack().rename("error"))
    axis.set(title=title, xlabel="function evaluations", ylabel="mean error (%)", xlim=(0, None))
    seaborn.move_legend(axis, "best", title=None)
    return drawing, [*face.coverage(cells), *face.steps({VALIDATION: steps}), f"{title}{NAMED}", *told(errors)]


def draw(axis, errors):
    """Mean lines with bands. errors: series, index (iteration, repetition, part)."""
    tidy = errors.reset_index()
    seaborn.lineplot(tidy, x="iteration", y="error", hue="part", style="part", errorbar="se", ax=axis, **LOOKS)


def told(errors):
    """Sentences on the bands and on the gap at both ends. errors: frame of COLUMNS, index (iteration, repetition)."""
    mean = errors.groupby("iteration").mean()
    gap = mean["test"] - mean["validation"]
    return [
        "Bands: standard error of the mean over repetitions; a single one has none. The document: mean of 10.",
        f"Test minus validation error: {gap.iloc[0]:.2f} points after {gap.index[0]} and {gap.iloc[-1]:.2f} after "
        f"{gap.index[-1]} function evaluations.",
    ]
